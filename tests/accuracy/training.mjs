// training.mjs - `suanjia size` against published training measurements; prints Markdown.
// Rows and how they become requests: README-training.md.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const binary = join(root, process.env.BUILD ?? "build", "suanjia");

function parseCsv(text) {
  const rows = [];
  let row = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"') quoted = !quoted;
    else if (quoted) cell += c;
    else if (c === "," || c === "\n") {
      row.push(cell);
      cell = "";
      if (c === "\n") rows.push(row.splice(0));
    } else if (c !== "\r") cell += c;
  }
  const [head, ...body] = rows;
  return body.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i] ?? ""])));
}

const read = (path) => parseCsv(readFileSync(join(root, path), "utf8"));
const models = new Map(read("schema/reference/models.csv").map((m) => [m.id, m]));
const cards = new Map(read("schema/reference/cards.csv").map((c) => [c.id, c]));
const isMoe = (row) => models.get(row.model)?.experts !== "";

/* ---- requests ---- */

const METHOD = { pretrain: "pretrain", full_ft: "full", lora: "lora", qlora: "qlora" };
const PRECISION = { nvfp4: "fp4", amp: "bf16" };
const numbers = (row, names) => Object.fromEntries(
  names.filter((name) => Number(row[name]) > 0).map((name) => [name, Number(row[name])]));
const words = (row, names) => Object.fromEntries(
  names.filter((name) => row[name]).map((name) => [name, row[name]]));

/* The table of speeds has no column for the loss kernel: sources that use fused kernels name them. */
const lossKernel = (row) => row.loss_kernel ||
  (/liger/i.test(row.note) ? "chunked" : /foak|unsloth|fused kernels/i.test(row.note) ? "fused" : "");

function request(row) {
  return {
    id: row.id,
    workload: {
      kind: "training", method: METHOD[row.method], model: row.model,
      ...numbers(row, ["seq_len", "lora_rank", "quant_bits"]), ...words(row, ["stack", "optimizer"]),
      ...(row.precision && { precision: PRECISION[row.precision] ?? row.precision }),
      ...(lossKernel(row) === "fused" && { fused_loss: true }),
      ...(lossKernel(row) === "chunked" && { chunked_loss: true }),
    },
    on: {
      card: row.card, ...numbers(row, ["cards", "cards_per_server", "inter_gbps"]),
      ...words(row, ["intra_link", "inter_link"]),
    },
    layout: {
      ...numbers(row, ["tp", "pp", "vpp", "cp", "ep", "dp", "micro_batch", "global_batch"]),
      ...words(row, ["sharding", "recompute"]),
    },
  };
}

function ask(rows) {
  const input = rows.map((row) => JSON.stringify(request(row))).join("\n") + "\n";
  const run = spawnSync(binary, ["size"], { input, maxBuffer: 1 << 28, encoding: "utf8" });
  const answers = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  if (answers.length !== rows.length) throw new Error(`${answers.length} answers to ${rows.length} requests`);
  return answers;
}

/* ---- figures ---- */

const quantile = (values, p) => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
};
const percent = (x, digits = 1) => `${(100 * x).toFixed(digits)} %`;
const error = (c) => Math.abs(c.value / c.truth - 1);
const groupBy = (cases, key) => {
  const groups = new Map();
  for (const c of cases) groups.set(key(c), [...(groups.get(key(c)) ?? []), c]);
  return [...groups].sort((a, b) => b[1].length - a[1].length);
};

function line(name, cases) {
  const errors = cases.map(error);
  const bias = quantile(cases.map((c) => c.value / c.truth), 0.5) - 1;
  const inside = cases.filter((c) => c.truth >= c.low && c.truth <= c.high).length / cases.length;
  const width = quantile(cases.map((c) => c.high / c.low), 0.5);
  const rule = quantile(cases.map((c) => Math.abs(c.rule / c.truth - 1)), 0.5);
  return `| ${name} | ${cases.length} | ${percent(quantile(errors, 0.5))} | ${percent(quantile(errors, 0.9))} | ` +
    `${bias < 0 ? "−" : "+"}${percent(Math.abs(bias))} | ${percent(inside, 0)} | × ${width.toFixed(2)} | ${percent(rule, 0)} |`;
}

function table(title, cases, key, rule) {
  return [`### ${title}`, "",
    `| | rows | median | p90 | bias | in band | band | ${rule} |`, "|---|---|---|---|---|---|---|---|",
    ...groupBy(cases, key).map(([name, group]) => line(name, group)), line("**all**", cases), ""].join("\n");
}

/* ---- speed ---- */

const MFU_RULE = 0.4;

function constantMfu(row, answer) {
  const flops = (answer.speed.tflops_per_card * 1e12) / answer.speed.tokens_per_s_per_card;
  const card = cards.get(row.card);
  const peak = { fp8: card.fp8_tflops_dense, nvfp4: card.fp4_tflops_dense }[row.precision] || card.fp16_tflops_dense;
  return (MFU_RULE * peak * 1e12) / flops;
}

function speedCases() {
  const rows = read("tests/accuracy/training_throughput.csv").filter((row) => row.use === "score");
  const answers = ask(rows);
  const all = rows.map((row, i) => ({ row, answer: answers[i] }));
  const refused = all.filter(({ answer }) => !answer.speed?.tokens_per_s_per_card);
  const cases = all.filter(({ answer }) => answer.speed?.tokens_per_s_per_card).map(({ row, answer }) => ({
    row, answer, truth: Number(row.tokens_per_s_per_card), value: answer.speed.tokens_per_s_per_card,
    low: answer.speed.low, high: answer.speed.high, rule: constantMfu(row, answer),
  }));
  return { rows, refused, cases };
}

/* Pairs of layouts that one source measured for one job on the same cards. */
function pairsOf(cases) {
  const job = ({ row }) => [row.source, row.model, row.card, row.cards, row.seq_len, row.precision, row.method].join();
  const layout = ({ row }) => [row.tp, row.pp, row.cp, row.ep || 1, row.micro_batch, row.recompute, row.global_batch].join();
  let right = 0;
  let count = 0;
  const lost = [];
  for (const [, same] of groupBy(cases, job)) {
    const layouts = groupBy(same, layout).map(([, group]) => ({
      truth: quantile(group.map((c) => c.truth), 0.5), value: quantile(group.map((c) => c.value), 0.5) }));
    if (layouts.length < 2) continue;
    const chosen = layouts.reduce((a, b) => (b.value > a.value ? b : a));
    lost.push(1 - chosen.truth / Math.max(...layouts.map((l) => l.truth)));
    layouts.forEach((a, i) => layouts.slice(i + 1).forEach((b) => {
      if (Math.abs(a.truth / b.truth - 1) < 0.02) return;
      count += 1;
      right += a.truth > b.truth === a.value > b.value ? 1 : 0;
    }));
  }
  return { right, count, lost };
}

/* ---- memory ---- */

const SIXTEEN_BYTES = (row) => {
  const bits = row.method === "qlora" ? 0.5 : row.method === "lora" ? 2 : 16;
  const split = Number(row.tp || 1) * Number(row.pp || 1) *
    (["zero3", "fsdp", "hsdp"].includes(row.sharding) ? Number(row.dp || 1) : 1);
  return (models.get(row.model).params_total_b * 1e9 * bits) / split / 2 ** 30;
};

/* Where a source does not say, the figure is taken for what nvidia-smi shows. */
const KIND = { allocated: "allocated_gib", reserved: "reserved_gib", driver: "per_card_gib" };

function memoryCases() {
  const rows = read("tests/accuracy/training_memory.csv").filter((row) => row.use === "score" && !row.also_trained);
  const answers = ask(rows);
  const all = rows.map((row, i) => ({ row, answer: answers[i] })).filter(({ answer }) => answer.memory?.allocated_gib);
  const cases = all.filter(({ row }) => row.outcome === "ran").map(({ row, answer }) => {
    const value = answer.memory[KIND[row.mem_kind] ?? KIND.driver];
    const scale = value / answer.memory.per_card_gib;
    return { row, value, truth: Number(row.peak_gib_per_card), rule: SIXTEEN_BYTES(row),
      low: answer.memory.low_gib * scale, high: answer.memory.high_gib * scale };
  });
  const out = all.filter(({ row }) => row.outcome === "oom");
  const wrongFits = out.filter(({ answer }) => answer.fits).length;
  const ran = all.filter(({ row }) => row.outcome === "ran");
  const wrongRefused = ran.filter(({ answer }) => !answer.fits).length;
  return { cases, fits: { out: out.length, wrongFits, ran: ran.length, wrongRefused } };
}

/* ---- whole runs ---- */

const WHOLE_RUNS = [ // cards and batch of the published runs where the source of the row is silent
  ["llama-2-13b", 1024, 1024], ["llama-2-70b", 2048, 1024], ["llama-3-70b", 8192, 2048],
  ["llama-3.1-70b", 8192, 2048], ["llama-3.1-405b", 16384, 2048], ["llama-13b", 1024, 2048],
  ["llama-33b", 2048, 2048], ["llama-65b", 2048, 2048],
];

function wholeRuns() {
  const rows = read("tests/accuracy/training_throughput.csv").filter(
    (row) => row.scope === "whole run" && row.metric === "gpu_hours" && WHOLE_RUNS.some(([id]) => id === row.model));
  const requests = rows.map((row) => {
    const [, count, batch] = WHOLE_RUNS.find(([id]) => id === row.model);
    return { ...row, cards: String(count), cards_per_server: "8", stack: "megatron", recompute: "", sharding: "",
      global_batch: String(batch) };
  });
  const lines = requests.map((row) => JSON.stringify({ ...request(row), layout: { global_batch: Number(row.global_batch) } }));
  const run = spawnSync(binary, ["size"], { input: lines.join("\n") + "\n", encoding: "utf8" });
  const answers = run.stdout.trim().split("\n").map((text) => JSON.parse(text));
  return rows.map((row, i) => {
    const rate = answers[i].speed?.tokens_per_s_per_card ?? 0;
    const hours = rate ? Number(row.tokens_trained) / rate / 3600 : 0;
    return `| ${row.model} | ${row.card} | ${Number(row.value).toLocaleString("en")} | ` +
      `${Math.round(hours).toLocaleString("en")} | ${hours ? percent(hours / Number(row.value) - 1, 0) : "does not fit"} |`;
  });
}

/* ---- report ---- */

const { rows, refused, cases } = speedCases();
const memory = memoryCases();
const pairs = pairsOf(cases);
const kindOf = (c) => c.row.mem_kind || "not stated";

console.log("## Training\n");
console.log(`Rule: ${MFU_RULE * 100} % of the dense peak; memory: 16 bytes a parameter (2 frozen, 0.5 in 4 bit).`);
console.log("The constants were fitted with all of these sources; what they say of a source that was left out");
console.log("of the fit stands in the last table.\n");
console.log(table("Tokens/s per card", cases, (c) => (isMoe(c.row) ? "mixture of experts" : "dense"), "rule"));
console.log(table("By method", cases, (c) => `${c.row.method}, ${c.row.stack}`, "rule"));
console.log(table("By card", cases, (c) => c.row.card, "rule"));
console.log(table("By source", cases, (c) => c.row.source, "rule"));
console.log(`${refused.length} of ${rows.length} configurations that ran are said not to fit.\n`);
console.log(`Pairs of layouts of one job ordered right: ${percent(pairs.right / pairs.count, 0)} of ${pairs.count}; ` +
  `speed lost by trusting the choice: ${percent(pairs.lost.reduce((a, b) => a + b, 0) / pairs.lost.length)} on average.\n`);
console.log(table("Memory of the kind that was measured", memory.cases, kindOf, "rule"));
console.log(table("Memory by source", memory.cases, (c) => c.row.source, "rule"));
console.log(`Said to fit but ran out of memory: ${memory.fits.wrongFits} of ${memory.fits.out}; ` +
  `said not to fit but ran: ${memory.fits.wrongRefused} of ${memory.fits.ran}.\n`);
console.log("### GPU-hours of whole runs (best layout found; megatron class)\n");
console.log("| model | card | published | predicted | |\n|---|---|---|---|---|");
console.log(wholeRuns().join("\n") + "\n");
console.log("### Sources left out of the fit\n");
console.log("| source | quantity | rows | median | p90 | bias |\n|---|---|---|---|---|---|");
for (const row of read("tests/accuracy/training_left_out.csv"))
  console.log(`| ${row.source} | ${row.quantity} | ${row.rows} | ${row.median} % | ${row.p90} % | ${row.bias} % |`);
