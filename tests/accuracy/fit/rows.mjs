// rows.mjs - the published training measurements, as requests and as figures; shared by
// ../training.mjs and fit.mjs. Rows and how they become requests: ../README-training.md.
import { models, read } from "./tables.mjs";

export const isMoe = (row) => models.get(row.model)?.experts !== "";

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

export function request(row) {
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

export const speedRows = () =>
  read("tests/accuracy/training_throughput.csv").filter((row) => row.use === "score");
export const memoryRows = () =>
  read("tests/accuracy/training_memory.csv").filter((row) => row.use === "score" && !row.also_trained);

/* Where a source does not say, the figure is taken for what nvidia-smi shows. */
const KIND = { allocated: "allocated_gib", reserved: "reserved_gib", driver: "per_card_gib" };
export const memoryKind = (row) => KIND[row.mem_kind] ?? KIND.driver;

/* ---- figures ---- */

export const quantile = (values, p) => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
};
export const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
export const percent = (x, digits = 1) => `${(100 * x).toFixed(digits)} %`;
export const groupBy = (items, key) => {
  const groups = new Map();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups].sort((a, b) => b[1].length - a[1].length);
};

/*
 * Pairs of layouts that one source measured for one job on the same cards, and how many of them
 * stand in the order predicted: cases of {row, truth, value}. Kendall's tau by job, ties (within
 * 2 %) left out; lost: speed lost by trusting the fastest predicted.
 */
export function pairsOf(cases) {
  const job = ({ row }) => [row.source, row.model, row.card, row.cards, row.seq_len, row.precision, row.method].join();
  const layout = ({ row }) => [row.tp, row.pp, row.cp, row.ep || 1, row.micro_batch, row.recompute, row.global_batch].join();
  let right = 0;
  let count = 0;
  const lost = [];
  const taus = [];
  for (const [, same] of groupBy(cases, job)) {
    const layouts = groupBy(same, layout).map(([, group]) => ({
      truth: quantile(group.map((c) => c.truth), 0.5), value: quantile(group.map((c) => c.value), 0.5) }));
    if (layouts.length < 2) continue;
    const chosen = layouts.reduce((a, b) => (b.value > a.value ? b : a));
    lost.push(1 - chosen.truth / Math.max(...layouts.map((l) => l.truth)));
    let agree = 0;
    let pairs = 0;
    layouts.forEach((a, i) => layouts.slice(i + 1).forEach((b) => {
      if (Math.abs(a.truth / b.truth - 1) < 0.02) return;
      pairs += 1;
      agree += a.truth > b.truth === a.value > b.value ? 1 : 0;
    }));
    if (pairs > 0) taus.push((2 * agree) / pairs - 1);
    right += agree;
    count += pairs;
  }
  return { right, count, lost: mean(lost), taus };
}
