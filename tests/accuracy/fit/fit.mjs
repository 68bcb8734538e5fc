// fit.mjs - `make accuracy-fit`: fits the constants of training to all sources but one, one after
// the other, and writes what they then say of that one (../training_left_out.csv) and what each term
// is worth (../training_ablation.csv). Prints the constants fitted to all. Changes no source file.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build, root } from "./tables.mjs";
import { isMoe, mean, memoryKind, memoryRows, pairsOf, percent, quantile, request, speedRows } from "./rows.mjs";

/*
 * Constants to fit: the value that is derived or published (sources: training_constants.c) and how
 * far, on the logarithm, a fit may lean from it: one standard deviation.
 */
const SPEED = {
  "tuned.elementwise": [1.7, 0.075], "tuned.launch_ms": [0.3, 0.1], "tuned.exposed": [0.46, 0.1],
  "tuned.gradient_bytes": [4, 0.075], "tuned.overlap": [0.8, 0.05], "tuned.norm": [2.5, 0.15],
  "tuned.step_ms": [10, 0.15], "tuned.loss_bytes": [40, 0.15],
  "megatron.attention": [0.6, 0.1], "megatron.elementwise": [1.7, 0.075], "megatron.launch_ms": [0.6, 0.1],
  "megatron.exposed": [0.8, 0.1], "megatron.gradient_bytes": [6, 0.075], "megatron.overlap": [0.8, 0.05],
  "megatron.norm": [1.8, 0.15], "megatron.step_ms": [10, 0.15], "megatron.loss_bytes": [40, 0.15],
  "fsdp.attention": [0.55, 0.1], "fsdp.elementwise": [1.1, 0.075], "fsdp.launch_ms": [0.5, 0.1],
  "fsdp.norm": [1.8, 0.15], "fsdp.step_ms": [10, 0.15], "fsdp.loss_bytes": [20, 0.15],
  "hf.attention": [0.6, 0.1], "hf.elementwise": [4, 0.075], "hf.launch_ms": [4, 0.1], "hf.norm": [1.1, 0.15],
  "hf.step_ms": [30, 0.15], "hf.loss_bytes": [40, 0.15],
  "preflash.attention": [1, 0.1], "preflash.elementwise": [1.7, 0.075], "preflash.launch_ms": [0.6, 0.1],
  "preflash.exposed": [1, 0.1], "preflash.gradient_bytes": [14, 0.075], "preflash.loss_bytes": [40, 0.15],
  gemm_traffic: [1, 0.075], half_wave: [2.2e6, 0.1], attention_backward: [2.3, 0.05],
  elementwise_backward: [2, 0.05], preflash_score_bytes: [11, 0.075], ffn_traffic: [1.3, 0.075],
  handing_ms: [0.6, 0.2], attention_ramp: [1000, 0.15], shipped_attention: [340e12, 0.075],
  unaligned_heads: [0.25, 0.15], unaligned_products: [0.9, 0.075], quantised_launch: [1.3, 0.075],
  sharded_launch: [1.2, 0.075], dequant_bytes: [22, 0.075], dequant_bytes_fused: [14, 0.15],
  loss_bytes_fused: [12, 0.15], elementwise_fused: [2, 0.15], grouped_gemm: [0.8, 0.075],
  expert_exposed: [0.4, 0.15], moe_launch_ms: [4, 0.15], permute_traffic: [4, 0.1], nic: [0.8, 0.075],
  selective_recompute: [0.5, 0.05], module_recompute: [0.6, 0.075], optimizer_bytes: [42, 0.05],
  scaling_loss: [0.01, 0.15],
  "gb300:bf16": [0.73, 0.06], "gb300:fp8": [0.74, 0.06], "gb300:fp4": [0.55, 0.06], "gb300:attention": [0.55, 0.075],
  "gb200:bf16": [0.729, 0.06], "gb200:fp8": [0.74, 0.06], "gb200:fp4": [0.55, 0.06], "gb200:attention": [0.55, 0.075],
  "b200-sxm:bf16": [0.776, 0.04], "b200-sxm:fp8": [0.763, 0.04], "b200-sxm:attention": [0.55, 0.075],
  "mi300x:bf16": [0.511, 0.04], "mi300x:fp8": [0.49, 0.06], "mi300x:attention": [0.36, 0.1],
  "ascend-910b:bf16": [0.892, 0.06], "ascend-910b:attention": [0.7, 0.1],
  "Blackwell:bf16": [0.776, 0.04], "Blackwell:fp8": [0.763, 0.04], "Blackwell:attention": [0.55, 0.075],
  "Hopper:bf16": [0.72, 0.05], "Hopper:fp8": [0.709, 0.06], "Hopper:attention": [0.55, 0.075],
  "Ampere:bf16": [0.859, 0.04], "Ampere:attention": [0.7, 0.075],
};
const MEMORY = {
  "hf.live": [1.4, 0.05], "megatron.live": [1, 0.025], "fsdp.live": [1, 0.025], checkpoint_live: [1.25, 0.05],
  "tuned.reserved_share": [1.1, 0.025], "megatron.reserved_share": [1.1, 0.025], "fsdp.reserved_share": [1.1, 0.025],
  "hf.reserved_share": [1.23, 0.025], "preflash.reserved_share": [1.2, 0.025], "preflash.buffers_gib": [5, 0.1],
  context_gib: [0.8, 0.075], nccl_gib: [0.8, 0.075], "hf.logits_bytes": [10, 0.05], "hf.logits_held_bytes": [10, 0.05],
  "fsdp.logits_bytes": [4, 0.05], "fsdp.logits_held_bytes": [6, 0.05],
};

/* Terms to leave out: constants and the value at which the term is gone. */
const STACKS = ["tuned", "megatron", "fsdp", "hf", "preflash"];
const each = (field, value) => STACKS.map((stack) => [`${stack}.${field}`, value]);
const ABLATIONS = {
  "nothing": [],
  "attention kernels": each("attention", 1e6),
  "elementwise traffic": [...each("elementwise", 1e-6), ["ffn_traffic", 1e-6], ["elementwise_fused", 1e-6]],
  "operands of products through memory": [["gemm_traffic", 1e-6], ["half_wave", 1]],
  "launch floor": [...each("launch_ms", 1e-6), ["moe_launch_ms", 1e-6]],
  "traffic of the loss": [...each("loss_bytes", 1e-6), ["loss_bytes_fused", 1e-6]],
  "tensor and expert parallel links": [...each("exposed", 1e-6), ["expert_exposed", 1e-6]],
  "gradients and sharded weights": [["nic", 1e6], ...each("gradient_bytes", 1e-6)],
  "kernels as shipped": [["shipped_attention", 1e18]],
  "fused kernels of eager trainers": [["elementwise_fused", 4.1], ["dequant_bytes_fused", 22]],
  "dequantisation": [["dequant_bytes", 1e-6], ["dequant_bytes_fused", 1e-6]],
  "recomputed share": [["selective_recompute", 1e-6], ["module_recompute", 1e-6]],
  "unaligned sides": [["unaligned_products", 1], ["unaligned_heads", 1]],
  "loss by scale and step overheads": [["scaling_loss", 1e-9], ...each("step_ms", 1e-6), ["handing_ms", 1e-6], ["optimizer_bytes", 1e-6]],
};

/* ---- the engine ---- */

const speeds = speedRows();
const memories = memoryRows();
const requests = join(build, "fit_requests.jsonl");
writeFileSync(requests, [...speeds, ...memories].map((row) => JSON.stringify(request(row)) + "\n").join(""));
const engine = spawn(join(build, "fit_engine"), [requests], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

const set = (name, value) => engine.stdin.write(`${name} ${value}\n`);
async function get(name) {
  engine.stdin.write(`get ${name}\n`);
  return Number((await lines.next()).value);
}
async function run(from, to) {
  engine.stdin.write(`run ${from} ${to}\n`);
  return (await lines.next()).value.split(";").slice(0, -1).map((text) => {
    const [speed, allocated_gib, reserved_gib, per_card_gib, fits] = text.split(" ").map(Number);
    return { speed, allocated_gib, reserved_gib, per_card_gib, fits };
  });
}

/* ---- the fit ---- */

const HUBER = 0.15; // errors beyond count by their size, not its square
const NOISE = 0.12;
const OFFSET = 0.05; // a source may be off as a whole

/* Gaussian elimination with pivots: solves A x = b in place. */
function solve(a, b) {
  const n = b.length;
  for (let i = 0; i < n; i++) {
    let p = i;
    for (let r = i + 1; r < n; r++) if (Math.abs(a[r][i]) > Math.abs(a[p][i])) p = r;
    [a[i], a[p]] = [a[p], a[i]];
    [b[i], b[p]] = [b[p], b[i]];
    for (let r = i + 1; r < n; r++) {
      const f = a[r][i] / a[i][i];
      if (f === 0) continue;
      for (let c = i; c < n; c++) a[r][c] -= f * a[i][c];
      b[r] -= f * b[i];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let c = i + 1; c < n; c++) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

/* TABLE of constants against the logarithms of errors that ERRORS(): Promise gives, rows by SOURCES. */
class Fit {
  constructor(table, sources, errors) {
    Object.assign(this, { names: Object.keys(table), sources, errors });
    this.centre = this.names.map((name) => Math.log(table[name][0]));
    this.width = this.names.map((name) => table[name][1]);
    this.all = [...new Set(sources)].sort();
    const rows = new Map(this.all.map((s) => [s, sources.filter((t) => t === s).length]));
    this.weight = sources.map((s) => 1 / Math.sqrt(rows.get(s)));
    this.of = sources.map((s) => this.all.indexOf(s));
  }

  async at(x) {
    this.names.forEach((name, i) => set(name, Math.exp(x[i])));
    return this.errors();
  }

  async slopes(x, r) {
    const columns = [];
    for (let j = 0; j < x.length; j++) {
      const moved = await this.at(x.map((v, i) => (i === j ? v + 0.01 : v)));
      columns.push(moved.map((v, i) => (v - r[i]) / 0.01));
    }
    return columns;
  }

  /* How far sources stand off as a whole, given errors. */
  offsets(r, left) {
    let u = this.all.map(() => 0);
    for (let round = 0; round < 4; round++) {
      const down = this.all.map(() => 1 / OFFSET ** 2);
      const up = this.all.map(() => 0);
      r.forEach((e, i) => {
        if (this.sources[i] === left) return;
        const w = this.weight[i] / Math.max(1, Math.abs(e + u[this.of[i]]) / HUBER) / NOISE ** 2;
        down[this.of[i]] += w;
        up[this.of[i]] -= w * e;
      });
      u = up.map((v, k) => v / down[k]);
    }
    return u;
  }

  cost(x, r, left) {
    const u = this.offsets(r, left);
    let sum = 0;
    r.forEach((e, i) => {
      if (this.sources[i] === left) return;
      const a = Math.abs(e + u[this.of[i]]);
      sum += this.weight[i] * (a < HUBER ? (a * a) / 2 : HUBER * (a - HUBER / 2)) / NOISE ** 2;
    });
    x.forEach((v, j) => { sum += ((v - this.centre[j]) / this.width[j]) ** 2 / 2; });
    u.forEach((v) => { sum += v * v / 2 / OFFSET ** 2; });
    return sum;
  }

  step(x, r, slopes, left) {
    const u = this.offsets(r, left);
    const n = x.length;
    const size = n + u.length;
    const a = Array.from({ length: size }, () => new Float64Array(size));
    const b = new Float64Array(size);
    r.forEach((e, i) => {
      if (this.sources[i] === left) return;
      const k = n + this.of[i];
      const off = e + u[this.of[i]];
      const w = this.weight[i] / Math.max(1, Math.abs(off) / HUBER) / NOISE ** 2;
      const touched = [];
      for (let j = 0; j < n; j++) if (slopes[j][i] !== 0) touched.push([j, slopes[j][i]]);
      touched.push([k, 1]);
      for (const [p, vp] of touched) {
        b[p] -= w * vp * off;
        for (const [q, vq] of touched) a[p][q] += w * vp * vq;
      }
    });
    for (let j = 0; j < n; j++) {
      a[j][j] += 1 / this.width[j] ** 2;
      b[j] -= (x[j] - this.centre[j]) / this.width[j] ** 2;
    }
    u.forEach((v, k) => { a[n + k][n + k] += 1 / OFFSET ** 2; b[n + k] -= v / OFFSET ** 2; });
    return solve(a, b).slice(0, n).map((d) => Math.max(-0.5, Math.min(0.5, d)));
  }

  /* Damped Gauss-Newton from START without the source LEFT; SLOPES: taken once, or each round. */
  async fit(start, rounds, left, slopes) {
    let x = start;
    let r = await this.at(x);
    let best = this.cost(x, r, left);
    for (let round = 0; round < rounds; round++) {
      const d = this.step(x, r, slopes ?? await this.slopes(x, r), left);
      let found = false;
      for (let t = 1; t > 0.1 && !found; t /= 2) {
        const y = x.map((v, j) => v + t * d[j]);
        const ry = await this.at(y);
        const cost = this.cost(y, ry, left);
        if (cost >= best) continue;
        found = best - cost > 1e-3 * best;
        [x, r, best] = [y, ry, cost];
        break;
      }
      if (!found) break;
    }
    return { x, r };
  }

  async leaveOut(x, judge) {
    const slopes = await this.slopes(x, await this.at(x));
    const out = new Array(this.sources.length);
    for (const left of this.all) {
      const { x: y } = await this.fit(x, 2, left, slopes);
      (await this.at(y)).forEach((e, i) => { if (this.sources[i] === left) out[i] = e; });
      await judge?.(left);
    }
    await this.at(x);
    return out;
  }
}

/* ---- tables ---- */

const bare = (e) => Math.abs(Math.exp(e) - 1);
function line(source, quantity, errors) {
  const e = errors.map(bare);
  const bias = Math.exp(quantile(errors, 0.5)) - 1;
  return [source, quantity, e.length, ...[quantile(e, 0.5), mean(e), quantile(e, 0.9)].map((v) => (100 * v).toFixed(1)),
    `${bias < 0 ? "" : "+"}${(100 * bias).toFixed(1)}`].join();
}
const write = (name, head, rows) =>
  writeFileSync(join(root, "tests", "accuracy", name), [head, ...rows].join("\n") + "\n");
const casesOf = (rows, errors) => rows.map((row, i) => {
  const truth = Number(row.tokens_per_s_per_card);
  return { row, truth, value: truth * Math.exp(errors[i]) };
});

/* Layouts that are not legal have no speed: left out of every figure. */
const first = await run(0, speeds.length);
const legal = speeds.map((_, i) => i).filter((i) => first[i].speed > 0);
const speedErrors = async () => {
  const answers = await run(0, speeds.length);
  return legal.map((i) => Math.log(answers[i].speed / Number(speeds[i].tokens_per_s_per_card)));
};
const ran = memories.map((_, i) => i).filter((i) => memories[i].outcome === "ran");
const memoryErrors = async () => {
  const answers = await run(speeds.length, speeds.length + memories.length);
  return ran.map((i) => Math.log(answers[i][memoryKind(memories[i])] / Number(memories[i].peak_gib_per_card)));
};
const pick = (rows, ids) => ids.map((i) => rows[i]);

async function ablations(rows) {
  const table = [];
  for (const [name, constants] of Object.entries(ABLATIONS)) {
    const kept = [];
    for (const [constant] of constants) kept.push(await get(constant));
    constants.forEach(([constant, value]) => set(constant, value));
    const errors = await speedErrors();
    const shift = quantile(errors, 0.5); // a rate would be fitted: the median is not the term's
    const pairs = pairsOf(casesOf(rows, errors));
    const e = errors.map((v) => bare(v - shift));
    table.push([name, (100 * quantile(e, 0.5)).toFixed(1), (100 * quantile(e, 0.9)).toFixed(1),
      ((100 * pairs.right) / pairs.count).toFixed(0)].join());
    constants.forEach(([constant], i) => set(constant, kept[i]));
  }
  write("training_ablation.csv", "left_out,median,p90,pairs_right", table);
}

const speedPart = pick(speeds, legal);
await ablations(speedPart);
const speedFit = new Fit(SPEED, speedPart.map((row) => row.source), speedErrors);
const { x } = await speedFit.fit(speedFit.centre, 10);
speedFit.names.forEach((name, j) => console.log(name.padEnd(26), Number(Math.exp(speedFit.centre[j]).toPrecision(4)),
  "->", Number(Math.exp(x[j]).toPrecision(3))));
const speedLeft = await speedFit.leaveOut(x);
const memoryFit = new Fit(MEMORY, pick(memories, ran).map((row) => row.source), memoryErrors);
const judged = { wrongFits: 0, out: 0, wrongRefused: 0, ran: 0 };
const memoryLeft = await memoryFit.leaveOut((await memoryFit.fit(memoryFit.centre, 5)).x, async (left) => {
  const answers = await run(speeds.length, speeds.length + memories.length);
  memories.forEach((row, i) => {
    if (row.source !== left) return;
    judged[row.outcome === "ran" ? "ran" : "out"] += 1;
    if (row.outcome === "ran" && !answers[i].fits) judged.wrongRefused += 1;
    if (row.outcome === "oom" && answers[i].fits) judged.wrongFits += 1;
  });
});
engine.stdin.end();

const those = (fit, errors, keep) => errors.filter((_, i) => keep(i));
const moe = (i) => isMoe(speedPart[i]);
write("training_left_out.csv", "source,quantity,rows,median,mean,p90,bias", [
  ...speedFit.all.map((s) => line(s, "tokens/s", those(speedFit, speedLeft, (i) => speedFit.sources[i] === s))),
  line("all", "tokens/s", speedLeft),
  line("all: dense", "tokens/s", those(speedFit, speedLeft, (i) => !moe(i))),
  line("all: experts", "tokens/s", those(speedFit, speedLeft, moe)),
  ...memoryFit.all.map((s) => line(s, "memory", those(memoryFit, memoryLeft, (i) => memoryFit.sources[i] === s))),
  line("all", "memory", memoryLeft),
]);
const pairs = pairsOf(casesOf(speedPart, speedLeft));
console.log(`left out: pairs of layouts right ${percent(pairs.right / pairs.count)}, speed lost ${percent(pairs.lost)}; ` +
  `fits but ran out ${judged.wrongFits} of ${judged.out}, refused but ran ${judged.wrongRefused} of ${judged.ran}`);
