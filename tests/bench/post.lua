-- post.lua BODY_FILE KEY - wrk posts one body again and again and prints a line of JSON.
function init(args)
	local file = assert(io.open(args[1], 'rb'))
	wrk.method = 'POST'
	wrk.body = file:read('a')
	file:close()
	wrk.headers['Content-Type'] = 'application/json'
	wrk.headers['Authorization'] = 'Bearer ' .. args[2]
end

function done(summary, latency)
	local errors = summary.errors
	print(string.format(
		'RESULT {"requests":%d,"duration_us":%d,"bytes":%d,"p50_us":%d,"p99_us":%d,"failed":%d}',
		summary.requests, summary.duration, summary.bytes, latency:percentile(50),
		latency:percentile(99),
		errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
