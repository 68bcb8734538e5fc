// inference.mjs - `suanjia size` against published inference measurements; prints Markdown.
// Rows and how they become requests: README-inference.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, cards, models, read } from "./fit/tables.mjs";

const binary = join(build, "suanjia");

const WEIGHTS = {
  fp16: "bf16", bf16: "bf16", fp8: "fp8", int8: "int8", w8a8: "int8", w4a8: "w4a8", int4: "int4",
  nvfp4: "nvfp4", mxfp4: "mxfp4", q4_k_m: "q4_k_m", q8_0: "q8_0", "bnb-nf4": "nf4",
};
const CACHE = { fp16: "bf16", bf16: "bf16", fp8: "fp8", int8: "int8", int4: "int4" };
const ENGINES = {
  vllm: "vllm", trtllm: "trtllm", sglang: "sglang", lmdeploy: "lmdeploy", llamacpp: "llamacpp",
  "llama.cpp": "llamacpp", transformers: "transformers", "transformers (pytorch)": "transformers",
  exllama: "llamacpp", exllamav2: "llamacpp", tinychat: "llamacpp",
};
const ON_DEMAND = {
  autoawq: "transformers", autogptq: "transformers", ctranslate: "transformers",
  "pytorch lightning": "transformers", onnx: "transformers", exllama: "llamacpp",
  exllamav2: "llamacpp", ctransformers: "llamacpp",
};
const BY_LAYER = new Set(["transformers", "llamacpp", "exllama", "exllamav2", "mlc", "tinychat"]);

const source = (row) => row.id.split("-")[0];
const throughputRows = read("tests/accuracy/inference_throughput.csv");
const served = new Map(throughputRows.filter((row) => row.metric === "output_tokens_per_s_total")
  .map((row) => [row.source_ref, Number(row.value) / Number(row.output_len)]));
const number = (text, otherwise) => (text === "" || text === undefined ? otherwise : Number(text));

function engineOf(row) {
  if ("total_used_gib_per_gpu" in row && ON_DEMAND[row.engine]) return ON_DEMAND[row.engine];
  return ENGINES[row.engine] ?? "other";
}

function versionOf(row) {
  if (row.engine_version) return row.engine_version;
  if (source(row).startsWith("ANL")) return { vllm: "0.6", trtllm: "0.12" }[row.engine];
  return row.source.includes("Qwen2 speed") ? "4.38.2" : undefined;
}

// Tensor, pipeline and data parallel degrees, and replicas beside one another.
function layoutOf(row) {
  const cardsUsed = number(row.gpus, 1);
  const pp = number(row.pp, 1);
  let tp = number(row.tp, 0);
  let dp = number(row.dp, 1);
  const rankDp = /attention dp=(\d+)/.exec(row.note);
  if (rankDp) dp = Number(rankDp[1]);
  if (row.note.includes("DEP = attention") && number(row.ep, 1) > 1) [tp, dp] = [1, tp];
  const engine = ENGINES[row.engine] ?? row.engine;
  if (engine === "llamacpp" || (!tp && BY_LAYER.has(engine)))
    return { tp: 1, pp: cardsUsed, dp: 1, replicas: 1 };
  if (!tp) tp = Math.max(Math.floor(cardsUsed / (pp * dp)), 1);
  if (tp * pp * dp > cardsUsed && dp > 1 && tp % dp === 0) tp /= dp;
  if (tp * pp * dp > cardsUsed) return undefined;
  return { tp, pp, dp, replicas: Math.floor(cardsUsed / (tp * pp * dp)) };
}

const BATCH_SOURCES = new Set(["XJD", "ANL", "EXL", "TRTD", "TNY", "MLC"]);

const spreadOf = (row) => (row.note.includes("ShareGPT") ? { output_spread: 1 } : {});

// A benchmark that says how many prompts it sent.
function runOf(row, replicas) {
  const prompts = /(\d+) prompts/.exec(row.note);
  return prompts ? { requests: Number(prompts[1]) / replicas, ...spreadOf(row) } : {};
}

// GPUStack's pages give the peak of requests in flight. With request_rate 1 the peak is neither
// the clients' limit (512) nor all prompts, and the rate that was served is the one offered.
function gpustackLoad(row, replicas) {
  const prompts = Number(/(\d+) prompts/.exec(row.note)[1]) / replicas;
  const peak = number(/peak concurrent (\d+)/.exec(row.note)?.[1], prompts) / replicas;
  const clients = number(row.concurrency, prompts) / replicas;
  const spread = spreadOf(row);
  if (clients === peak && clients !== 512 && clients !== prompts)
    return { mode: "online", requests_per_s: served.get(row.source_ref) / replicas, ...spread };
  return { mode: "online", concurrency: clients, requests: prompts, ...spread };
}

// Pages of two cards with the same figures: one is a copy of the other, nobody says which.
const figure = (row) => [row.model, row.engine, row.metric, row.percentile, row.input_len, row.value].join();
const cardsOfFigure = new Map();
for (const row of throughputRows)
  cardsOfFigure.set(figure(row), (cardsOfFigure.get(figure(row)) ?? new Set()).add(row.card_id));
const copied = (row) => source(row) === "GPS" && cardsOfFigure.get(figure(row)).size > 1;

// The rate that such a run served says nothing: it is in the request.
const rateAsked = (row, item) => source(row) === "GPS" && item.request.workload.requests_per_s > 0 &&
  !["tpot_ms", "ttft_ms"].includes(row.metric);

function loadOf(row, replicas) {
  const together = number(row.concurrency, 0) / (source(row) === "DST" ? 1 : replicas);
  if (row.note.includes("aggregate_output"))
    return { mode: "online", concurrency: together, requests: together };
  if (row.scenario === "single")
    return { mode: BATCH_SOURCES.has(source(row)) ? "offline" : "online", concurrency: 1 };
  if (row.scenario === "offline") return { mode: "offline", ...(together && { concurrency: together }) };
  if (row.request_rate !== "inf" && row.request_rate !== "" && !together)
    return { mode: "online", requests_per_s: Number(row.request_rate) / replicas, ...runOf(row, replicas) };
  if (source(row) === "GPS") return gpustackLoad(row, replicas);
  if (!together) return { mode: "offline" };
  return { mode: source(row) === "DLV" ? "offline" : "online", concurrency: together };
}

function lengthsOf(row) {
  let input = number(row.input_len, ["EXL", "L4B"].includes(source(row)) ? 32 : NaN);
  let output = number(row.output_len, ["EXL", "TNY"].includes(source(row)) ? 128 : NaN);
  if (row.note.includes("InferenceMAX")) [input, output] = [input * 0.9, output * 0.9];
  return { input_tokens: Math.max(input, 1), output_tokens: Math.max(output, 1) };
}

function workloadOf(row) {
  const weights = row.model_id.startsWith("gpt-oss") ? "mxfp4" : WEIGHTS[row.weight_dtype];
  if (!weights || !models.has(row.model_id) || !cards.has(row.card_id)) return undefined;
  const version = versionOf(row);
  const cache = CACHE[row.kv_dtype];
  return {
    kind: "inference", model: row.model_id, weights, engine: engineOf(row),
    ...(cache && { kv_cache: cache }), ...(version && { engine_version: version }),
  };
}

// The share of memory that leaves the KV pool which the source states, GiB a card.
function shareFor(row, pool, tp) {
  const weights = (Number(models.get(row.model_id).params_total_b) * 2) / 1.073741824 / tp;
  return (pool + weights + 2.2) / 79.55;
}

function speedRequest(row) {
  const workload = workloadOf(row);
  const layout = layoutOf(row);
  if (!workload || !layout) return undefined;
  const lengths = lengthsOf(row);
  if (Number.isNaN(lengths.input_tokens) || Number.isNaN(lengths.output_tokens)) return undefined;
  const { replicas, ...degrees } = layout;
  const pool = /KV cache memory[^:]*: ([\d.]+) GiB/.exec(row.note);
  Object.assign(workload, lengths, loadOf(row, replicas));
  if (pool) workload.gpu_memory_utilization = shareFor(row, Number(pool[1]), layout.tp);
  const on = { card: row.card_id, cards: layout.tp * layout.pp * layout.dp };
  if (source(row) === "DLV") on.intra_link = "pcie";
  return { replicas, request: { workload, on, layout: { ...degrees, ep: 1 } } };
}

function memoryRequest(row) {
  const workload = workloadOf(row);
  const layout = layoutOf({ ...row, pp: "", dp: "", ep: "" });
  if (!workload || !layout) return undefined;
  const lengths = /input (\d+) \+ (\d+) gen/.exec(row.note);
  const pooled = ["vllm", "sglang", "trtllm"].includes(row.engine);
  Object.assign(workload, {
    input_tokens: lengths ? Number(lengths[1]) : pooled ? 1000 : 256,
    output_tokens: lengths ? Number(lengths[2]) : pooled ? 200 : 256,
    concurrency: 1,
    ...(row.gpu_memory_utilization && !row.note.includes("not passed") && { gpu_memory_utilization: Number(row.gpu_memory_utilization) }),
  });
  const { replicas, ...degrees } = layout;
  return { replicas, request: { workload, on: { card: row.card_id }, layout: { ...degrees, ep: 1 } } };
}

function ask(requests) {
  const input = requests.map((r, i) => JSON.stringify({ id: i, ...r })).join("\n") + "\n";
  const run = spawnSync(binary, ["size"], { input, encoding: "utf8", maxBuffer: 1 << 30 });
  const answers = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  if (answers.length !== requests.length)
    throw new Error(`${requests.length} requests, ${answers.length} answers: ${run.stderr}`);
  return answers;
}

// What most calculators print: the active weights over the bandwidth, half the peak for prompts.
function bandwidthRule(row, request, metric) {
  const model = models.get(row.model_id);
  const card = cards.get(row.card_id);
  const ranks = request.layout.tp * request.layout.pp * request.layout.dp;
  const bytes = { bf16: 2, fp8: 1, int8: 1, q8_0: 1 }[request.workload.weights] ?? 0.5;
  const active = Number(model.params_active_b) * 1e9;
  const tpot = (active * bytes) / (Number(card.memory_bandwidth_gbs) * 1e6 * ranks);
  const flops = Number(card.fp16_tflops_dense) * 1e9 * ranks * 0.5;
  const ttft = (2 * active * request.workload.input_tokens) / flops;
  const batch = request.workload.concurrency ?? 256;
  const rate = (1000 * batch) / (ttft * batch + request.workload.output_tokens * tpot);
  return { ttft_ms: ttft, tpot_ms: tpot, rate, metric };
}

function predicted(row, item, answer) {
  const s = answer.speed;
  const metric = metricOf(row);
  if (!answer.fits || !s?.tpot_ms) return undefined;
  switch (metric) {
    case "ttft_ms": return s.ttft_ms;
    case "tpot_ms": return s.tpot_ms;
    case "requests_per_s": return s.requests_per_s * item.replicas;
    case "output_tokens_per_s_total": return s.output_tokens_per_s * item.replicas;
    case "output_tokens_per_s_per_gpu":
      return (s.output_tokens_per_s * item.replicas) / number(row.gpus, 1);
    case "total_tokens_per_s":
      return (s.input_tokens_per_s + (prefillOnly(row) ? 0 : s.output_tokens_per_s)) * item.replicas;
  }
}

const prefillOnly = (row) => number(row.input_len, 0) > 0 && row.output_len === "0";
const decodeOnly = (row) => row.id.startsWith("R39") && row.note.includes("single_stream") &&
  row.metric === "output_tokens_per_s_total";
const metricOf = (row) => (decodeOnly(row) ? "tpot_ms" : row.metric);
const measured = (row) => (decodeOnly(row) ? 1000 / Number(row.value) : Number(row.value));

function byRule(row, item) {
  const rule = bandwidthRule(row, item.request);
  const w = item.request.workload;
  switch (metricOf(row)) {
    case "ttft_ms": return rule.ttft_ms;
    case "tpot_ms": return rule.tpot_ms;
    case "requests_per_s": return rule.rate * item.replicas;
    case "output_tokens_per_s_total": return rule.rate * w.output_tokens * item.replicas;
    case "output_tokens_per_s_per_gpu":
      return (rule.rate * w.output_tokens * item.replicas) / number(row.gpus, 1);
    case "total_tokens_per_s": return rule.rate * (w.input_tokens + w.output_tokens) * item.replicas;
  }
}

function classOf(row, item, answer) {
  const w = item.request.workload;
  const metric = metricOf(row);
  if (metric === "tpot_ms") return answer.speed.saturated ? "TPOT, requests wait" : "TPOT";
  if (metric === "ttft_ms") {
    if (answer.speed.saturated || w.mode === "offline") return "TTFT, requests wait or a static batch";
    return w.input_tokens > 1000 ? "TTFT, prompts > 1k" : "TTFT, prompts <= 1k";
  }
  if (prefillOnly(row)) return "pre-fill rate";
  if (w.mode === "online" && w.concurrency !== 1) return "throughput, clients";
  if (w.concurrency && !answer.speed.saturated) return "throughput, static batch or one request";
  return "throughput, full load";
}

const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(Math.floor(q * sorted.length), sorted.length - 1)] : NaN;
};
const percent = (x) => (Number.isNaN(x) ? "–" : `${(100 * x).toFixed(1)} %`);

function line(title, cases) {
  const usable = cases.filter((c) => c.value > 0);
  const errors = usable.map((c) => Math.abs(c.value / c.truth - 1));
  const bias = quantile(usable.map((c) => c.value / c.truth), 0.5) - 1;
  const rule = usable.filter((c) => c.rule > 0).map((c) => Math.abs(c.rule / c.truth - 1));
  const banded = usable.filter((c) => c.low > 0);
  const inside = banded.filter((c) => c.low <= c.truth && c.truth <= c.high).length / banded.length;
  return `| ${title} | ${cases.length} | ${cases.length - usable.length} | ${percent(quantile(errors, 0.5))} | ` +
    `${percent(quantile(errors, 0.9))} | ${percent(bias)} | ${percent(quantile(rule, 0.5))} | ${percent(inside)} |`;
}

const HEAD = "| | rows | unfit | median error | p90 | bias | bandwidth rule | in band |\n|---|---|---|---|---|---|---|---|";

function table(title, cases, key) {
  const groups = new Map();
  for (const c of cases) groups.set(key(c), [...(groups.get(key(c)) ?? []), c]);
  const names = [...groups.keys()].sort();
  return [`### ${title}`, "", HEAD, ...names.map((n) => line(n, groups.get(n))), ""].join("\n");
}

function bandOf(row, answer) {
  const s = answer.speed;
  const metric = metricOf(row);
  if (metric === "tpot_ms") return [s.tpot_low_ms, s.tpot_high_ms];
  if (metric === "ttft_ms") return [s.ttft_low_ms, s.ttft_high_ms];
  return [s.low / s.output_tokens_per_s, s.high / s.output_tokens_per_s];
}

function speedCases() {
  const rows = throughputRows.filter((row) => Number(row.value) > 0 &&
    !(row.id.startsWith("ANL") && row.engine === "llamacpp" && Number(row.concurrency) > 1));
  const distinct = new Map();
  const items = [];
  for (const row of rows) {
    const item = speedRequest(row);
    if (!item || copied(row) || rateAsked(row, item)) continue;
    const key = JSON.stringify(item.request);
    if (!distinct.has(key)) distinct.set(key, { index: distinct.size, request: item.request });
    items.push({ row, item, index: distinct.get(key).index });
  }
  const answers = ask([...distinct.values()].map((d) => d.request));
  return items.filter(({ index }) => answers[index].speed || answers[index].fits === false)
    .map(({ row, item, index }) => {
      const answer = answers[index];
      const value = predicted(row, item, answer) ?? 0;
      const [low, high] = value ? bandOf(row, answer) : [0, 0];
      const rate = !["tpot_ms", "ttft_ms"].includes(metricOf(row));
      return {
        row, value, truth: measured(row), rule: byRule(row, item), request: item.request,
        saturated: answer.speed?.saturated ?? false,
        low: rate ? low * value : low, high: rate ? high * value : high,
        class: value ? classOf(row, item, answer) : "does not fit",
      };
    });
}

// Waiting as measured: a first token eight times later than that of a lone request, and over 3 s.
function saturationLine(cases) {
  const online = cases.filter((c) => metricOf(c.row) === "ttft_ms" && c.request.workload.mode === "online" &&
    c.request.workload.concurrency > 1);
  const alone = ask(online.map((c) => ({ ...c.request, workload: { ...c.request.workload, concurrency: 1 } })));
  const right = online.filter((c, i) =>
    (c.truth > 8 * alone[i].speed.ttft_ms && c.truth > 3000) === c.saturated).length;
  return `Requests wait or do not, as said, in ${percent(right / online.length)} of ${online.length} rows with clients.\n`;
}

function memoryCases() {
  const cases = [];
  const items = read("tests/accuracy/inference_memory.csv").map((row) => ({ row, ...memoryRequest(row) }))
    .filter((item) => item.request);
  const answers = ask(items.map((item) => item.request));
  items.forEach(({ row, request }, i) => {
    const { memory, capacity } = answers[i];
    const add = (what, value, truth, band = []) =>
      Number(truth) > 0 && cases.push({ row, class: what, value, truth: Number(truth), low: band[0], high: band[1] });
    const kind = request.workload.weights === "bf16" ? "weights, 16 bit" : "weights, quantised";
    const ascend = row.card_id.startsWith("ascend") ? ", Ascend" : "";
    add(kind + ascend, memory?.parts.weights, row.weights_gib_per_gpu);
    const shareKnown = row.gpu_memory_utilization || row.note.includes("not passed");
    if (shareKnown) add("KV tokens" + ascend, capacity ? capacity.kv_tokens / request.layout.dp : 0, row.kv_tokens_total);
    // Qwen's pages print what PyTorch allocated. Their "GB" of 2024 are GiB: long prompts then take
    // exactly 6 bytes a logit.
    const allocated = /Qwen.*(speed benchmark|inference performance)/.test(row.source);
    const gib = /total [\d.]+ GB/.test(row.note) ? 1.073741824 : 1;
    const band = allocated ? [memory?.low_gib, memory?.high_gib - 0.45] : [memory?.low_gib, memory?.high_gib];
    add(allocated ? "memory allocated" : "memory in use", allocated ? memory?.allocated_gib : memory?.per_card_gib,
      row.total_used_gib_per_gpu * (allocated ? gib : 1), band);
  });
  return cases;
}

const speed = speedCases();
const plain = speed.filter((c) => c.class !== "does not fit");
console.log("## Inference\n");
console.log(table("Speed, all rows", plain, (c) => c.class));
console.log(table("Speed without the GPUStack laboratory (untuned servers, all requests at once)",
  plain.filter((c) => source(c.row) !== "GPS"), (c) => c.class));
console.log(saturationLine(plain));
console.log(table("TPOT by source", plain.filter((c) => c.class === "TPOT"), (c) => `${c.row.source}: ${c.row.engine}`));
console.log(table("TTFT of prompts > 1k by source", plain.filter((c) => c.class === "TTFT, prompts > 1k"),
  (c) => `${c.row.source}: ${c.row.engine}`));
console.log(table("Throughput by source", plain.filter((c) => c.class.startsWith("throughput")),
  (c) => `${c.row.source}: ${c.row.engine}`));
console.log(table("TPOT and throughput by card", plain.filter((c) => /^(TPOT|throughput)/.test(c.class)),
  (c) => c.row.card_id));
const steady = plain.filter((c) => /^(TPOT|throughput)/.test(c.class));
console.log(table("TPOT and throughput by engine", steady, (c) => c.row.engine));
console.log(table("TPOT and throughput by weights", steady, (c) => c.request.workload.weights));
console.log(table("TPOT and throughput by layout", steady, (c) => `tp ${c.request.layout.tp}, pp ${c.request.layout.pp}, dp ${c.request.layout.dp}`));
console.log(table("Memory", memoryCases(), (c) => c.class));
console.log(`${speed.length - plain.length} speed rows ran on cards that this program finds too small.`);
console.log("\n### Sources left out\n");
console.log("Constants refitted without the source, from physical defaults: README-inference.md says how. The tables");
console.log("above are of the constants as they are, which saw all sources.\n");
console.log("| source | quantity | rows | median | p90 | bias | in band |\n|---|---|---|---|---|---|---|");
for (const row of read("tests/accuracy/inference_left_out.csv"))
  console.log(`| ${row.source} | ${row.quantity} | ${row.rows} | ${row.median} % | ${row.p90} % | ${row.bias} % | ${row.in_band} % |`);
