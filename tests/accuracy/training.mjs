// training.mjs - `suanjia size` against published training measurements; prints Markdown.
// Rows and how they become requests: README-training.md.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { groupBy, isMoe, mean, memoryKind, memoryRows, pairsOf, percent, quantile, request, speedRows } from "./fit/rows.mjs";
import { build, cards, models, read } from "./fit/tables.mjs";

const binary = join(build, "suanjia");

function ask(rows) {
  const input = rows.map((row) => JSON.stringify(request(row))).join("\n") + "\n";
  const run = spawnSync(binary, ["size"], { input, maxBuffer: 1 << 28, encoding: "utf8" });
  const answers = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  if (answers.length !== rows.length) throw new Error(`${answers.length} answers to ${rows.length} requests`);
  return answers;
}

/* ---- figures ---- */

const error = (c) => Math.abs(c.value / c.truth - 1);
const sign = (x, digits) => `${x < 0 ? "−" : "+"}${percent(Math.abs(x), digits)}`;

function line(name, cases) {
  const errors = cases.map(error);
  const bias = quantile(cases.map((c) => c.value / c.truth), 0.5) - 1;
  const inside = cases.filter((c) => c.truth >= c.low && c.truth <= c.high).length / cases.length;
  const width = quantile(cases.map((c) => c.high / c.low), 0.5);
  const rule = quantile(cases.map((c) => Math.abs(c.rule / c.truth - 1)), 0.5);
  return `| ${name} | ${cases.length} | ${percent(quantile(errors, 0.5))} | ${percent(mean(errors))} | ` +
    `${percent(quantile(errors, 0.9))} | ${sign(bias)} | ${percent(inside, 0)} | × ${width.toFixed(2)} | ${percent(rule, 0)} |`;
}

function table(title, cases, key, rule) {
  return [`### ${title}`, "",
    `| | rows | median | mean | p90 | bias | in band | band | ${rule} |`, "|---|---|---|---|---|---|---|---|---|",
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
  const rows = speedRows();
  const answers = ask(rows);
  const all = rows.map((row, i) => ({ row, answer: answers[i] }));
  const refused = all.filter(({ answer }) => !answer.speed?.tokens_per_s_per_card);
  const cases = all.filter(({ answer }) => answer.speed?.tokens_per_s_per_card).map(({ row, answer }) => ({
    row, answer, truth: Number(row.tokens_per_s_per_card), value: answer.speed.tokens_per_s_per_card,
    low: answer.speed.low, high: answer.speed.high, rule: constantMfu(row, answer),
  }));
  return { rows, refused, cases };
}

/* ---- memory ---- */

const SIXTEEN_BYTES = (row) => {
  const bits = row.method === "qlora" ? 0.5 : row.method === "lora" ? 2 : 16;
  const split = Number(row.tp || 1) * Number(row.pp || 1) *
    (["zero3", "fsdp", "hsdp"].includes(row.sharding) ? Number(row.dp || 1) : 1);
  return (models.get(row.model).params_total_b * 1e9 * bits) / split / 2 ** 30;
};

function memoryCases() {
  const rows = memoryRows();
  const answers = ask(rows);
  const all = rows.map((row, i) => ({ row, answer: answers[i] })).filter(({ answer }) => answer.memory?.allocated_gib);
  const cases = all.filter(({ row }) => row.outcome === "ran").map(({ row, answer }) => {
    const value = answer.memory[memoryKind(row)];
    const scale = value / answer.memory.per_card_gib;
    return { row, value, truth: Number(row.peak_gib_per_card), rule: SIXTEEN_BYTES(row),
      low: answer.memory.low_gib * scale, high: answer.memory.high_gib * scale };
  });
  return { cases, all };
}

/* Who said that it fits, of those that ran out of memory, and the reverse. */
function fitLine(name, all) {
  const out = all.filter(({ row }) => row.outcome === "oom");
  const ran = all.filter(({ row }) => row.outcome === "ran");
  const wrongFits = out.filter(({ answer }) => answer.fits).length;
  const wrongRefused = ran.filter(({ answer }) => !answer.fits).length;
  const share = (n, of) => (of ? `${n} of ${of} (${percent(n / of)})` : "–");
  return `| ${name} | ${share(wrongFits, out.length)} | ${share(wrongRefused, ran.length)} |`;
}

/* ---- whole runs ---- */

const WHOLE_RUNS = [ // cards and batch of the published runs where the source of the row is silent
  ["llama-2-13b", 1024, 1024], ["llama-2-70b", 2048, 1024], ["llama-3-70b", 8192, 2048],
  ["llama-3.1-70b", 8192, 2048], ["llama-3.1-405b", 16384, 2048], ["llama-13b", 1024, 2048],
  ["llama-33b", 2048, 2048], ["llama-65b", 2048, 2048],
];

/* Share of a long run's hours that trains: "higher than 90 %" (Llama 3, arXiv:2407.21783, 3.3.4). */
const EFFECTIVE = 0.9;

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
      `${Math.round(hours).toLocaleString("en")} | ${hours ? sign(hours / Number(row.value) - 1, 0) : "does not fit"} | ` +
      `${hours ? sign(hours / EFFECTIVE / Number(row.value) - 1, 0) : ""} |`;
  });
}

/* ---- why not better ---- */

/* Rows that state the same configuration: how far each is from the median of its kind. */
function floorLine(name, cases) {
  const same = ({ row }) => ["model", "card", "cards", "tp", "pp", "cp", "ep", "dp", "micro_batch", "global_batch",
    "seq_len", "precision", "recompute", "method", "stack"].map((key) => row[key]).join();
  const groups = groupBy(cases, same).map(([, group]) => group).filter((group) => group.length > 1);
  const errors = groups.flatMap((group) => {
    const middle = quantile(group.map((c) => c.truth), 0.5);
    return group.map((c) => Math.abs(middle / c.truth - 1));
  });
  const widest = Math.max(...groups.map((group) =>
    Math.max(...group.map((c) => c.truth)) / Math.min(...group.map((c) => c.truth))));
  return `| ${name} | ${groups.length} | ${errors.length} | ${percent(quantile(errors, 0.5))} | ` +
    `${percent(quantile(errors, 0.9))} | × ${widest.toFixed(2)} |`;
}

/* The rows beyond the 90th percentile: whose they are. */
function tail(cases, key) {
  const limit = quantile(cases.map(error), 0.9);
  return groupBy(cases.filter((c) => error(c) > limit), key).map(([name, group]) =>
    `${name} ${group.length}`).join(", ");
}

/* ---- report ---- */

const { rows, refused, cases } = speedCases();
const memory = memoryCases();
const pairs = pairsOf(cases);
const kindOf = (c) => c.row.mem_kind || "not stated";
const source = (c) => c.row.source;

console.log("## Training\n");
console.log(`Rule: ${MFU_RULE * 100} % of the dense peak; memory: 16 bytes a parameter (2 frozen, 0.5 in 4 bit).`);
console.log("The constants were fitted with all of these sources; what they say of a source that was left out");
console.log("of the fit (`make accuracy-fit`) stands in the table of sources left out.\n");
console.log(table("Tokens/s per card", cases, (c) => (isMoe(c.row) ? "mixture of experts" : "dense"), "rule"));
console.log(table("By method", cases, (c) => `${c.row.method}, ${c.row.stack}`, "rule"));
console.log(table("By card", cases, (c) => c.row.card, "rule"));
console.log(table("By source", cases, source, "rule"));
console.log(table("By metric that the source printed", cases, (c) => c.row.metric, "rule"));
console.log(`${refused.length} of ${rows.length} configurations that ran are said not to fit.\n`);
console.log(`Pairs of layouts of one job ordered right: ${percent(pairs.right / pairs.count, 0)} of ${pairs.count}; ` +
  `Kendall's tau ${mean(pairs.taus).toFixed(2)} on average over ${pairs.taus.length} jobs; ` +
  `speed lost by trusting the choice: ${percent(pairs.lost)} on average. The rule gives every layout of a job one speed: tau 0.\n`);
console.log("| source | pairs | right | Kendall's tau |\n|---|---|---|---|");
for (const [name, group] of groupBy(cases, source)) {
  const own = pairsOf(group);
  if (own.count > 0) console.log(`| ${name} | ${own.count} | ${percent(own.right / own.count, 0)} | ${mean(own.taus).toFixed(2)} |`);
}
console.log("");
console.log(table("Memory of the kind that was measured", memory.cases, kindOf, "rule"));
console.log(table("Memory by method", memory.cases, (c) => `${c.row.method}, ${c.row.stack}`, "rule"));
console.log(table("Memory by card", memory.cases, (c) => c.row.card, "rule"));
console.log(table("Memory by source", memory.cases, source, "rule"));
console.log("| | said to fit, ran out of memory | said not to fit, ran |\n|---|---|---|");
for (const [name, group] of groupBy(memory.all, source)) console.log(fitLine(name, group));
console.log(fitLine("**all**", memory.all) + "\n");
console.log("### GPU-hours of whole runs (best layout found; megatron class)\n");
console.log(`Published hours hold restarts, checkpoints and waiting; the last column takes ${percent(EFFECTIVE, 0)} of them as training.\n`);
console.log("| model | card | published | predicted | | with waiting |\n|---|---|---|---|---|---|");
console.log(wholeRuns().join("\n") + "\n");
console.log("### Sources left out of the fit\n");
console.log("| source | quantity | rows | median | mean | p90 | bias |\n|---|---|---|---|---|---|---|");
for (const row of read("tests/accuracy/training_left_out.csv"))
  console.log(`| ${row.source} | ${row.quantity} | ${row.rows} | ${row.median} % | ${row.mean} % | ${row.p90} % | ${row.bias} % |`);
console.log("\n### What each term is worth\n");
console.log("Tokens/s with the term gone and nothing fitted again, the median shift taken out.\n");
console.log("| left out | median | p90 | pairs right |\n|---|---|---|---|");
for (const row of read("tests/accuracy/training_ablation.csv"))
  console.log(`| ${row.left_out} | ${row.median} % | ${row.p90} % | ${row.pairs_right} % |`);
console.log("\n### How far the measurements agree with each other\n");
console.log("Rows that state one and the same configuration (several releases or sources): their distance from the");
console.log("median of their kind. No prediction from the stated configuration can be nearer to all of them.\n");
console.log("| | configurations | rows | median | p90 | widest |\n|---|---|---|---|---|---|");
console.log(floorLine("dense", cases.filter((c) => !isMoe(c.row))));
console.log(floorLine("mixture of experts", cases.filter((c) => isMoe(c.row))));
console.log(`\nSpeed rows beyond the 90th percentile by source: ${tail(cases, source)}.`);
console.log(`\nMemory rows beyond it: ${tail(memory.cases, source)}.`);
console.log("\nWhat stays out of reach, and which measurement would settle it: README-training.md.");
