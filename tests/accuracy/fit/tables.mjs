// tables.mjs - the CSV files of this project as rows of {column: text}; shared by all that is measured.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
export const build = join(root, process.env.BUILD ?? "build");

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

export const read = (path) => parseCsv(readFileSync(join(root, path), "utf8"));
export const models = new Map(read("schema/reference/models.csv").map((m) => [m.id, m]));
export const cards = new Map(read("schema/reference/cards.csv").map((c) => [c.id, c]));
