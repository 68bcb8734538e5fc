-- post.lua BODY_FILE KEY - wrk posts one body again and again and prints a line of JSON. Where the body
-- holds the digits 987654, each request has six others there: no two are the same.
local template
local count = 0

function init(args)
	local file = assert(io.open(args[1], 'rb'))
	template = file:read('a')
	file:close()
	wrk.method = 'POST'
	wrk.body = template
	wrk.headers['Content-Type'] = 'application/json'
	wrk.headers['Authorization'] = 'Bearer ' .. args[2]
	if not template:find('987654', 1, true) then
		return
	end
	count = os.time() % 1000 * 1000
	request = function()
		count = (count + 7919) % 1000000
		return wrk.format(nil, nil, nil, (template:gsub('987654', string.format('%06d', count))))
	end
end

function done(summary, latency)
	local errors = summary.errors
	print(string.format(
		'RESULT {"requests":%d,"duration_us":%d,"bytes":%d,"p50_us":%d,"p99_us":%d,"failed":%d}',
		summary.requests, summary.duration, summary.bytes, latency:percentile(50),
		latency:percentile(99),
		errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
