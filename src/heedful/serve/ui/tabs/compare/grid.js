// Every pair of words as a table whose cells sum to the similarity.

import { count, h, number } from "../../lib/dom.js";
import { folded, signedShades } from "./folding.js";
import { shade } from "../../lib/heat.js";
import { roveGrid } from "../../lib/arrow_keys.js";
import { short } from "../../lib/truncate.js";

const MOST = 40; // words of each text in the table; the others are one row or column
const ROOMY = 14; // columns that have room for numbers

/**
 * @param {{similarity: number, texts: {words: import("./folding.js").Word[]}[], matrix: number[][]}} found
 * @param {{over: (i: number, j: number) => void, out: () => void}} on
 */
export function pairGrid(found, on) {
  const { kept, others, parts } = folded(found.matrix, MOST);
  const names = kept.map((places, side) => [
    ...places.map((i) => ({
      word: i,
      said: short(found.texts[side].words[i].text),
      known: found.texts[side].words[i].is_known,
    })),
    ...(others[side] ? [{ word: -1, said: count(others[side], "other word"), known: true }] : []),
  ]);
  const [rows, columns] = names;
  const tight = columns.length > ROOMY;
  const n = kept[1].length;
  const shades = signedShades(kept[0].flatMap((_, i) => kept[1].map((_, j) => parts[i][j])));
  const cells = rows.map((row, i) =>
    columns.map((column, j) => {
      const isPair = row.word >= 0 && column.word >= 0;
      const td = h(
        "td",
        { class: isPair ? "c" : column.word < 0 ? "others" : "others turned", "data-n": number(parts[i][j], 4, true) },
        h("b", {}, number(parts[i][j])),
      );
      return isPair ? shade(td, shades[i * n + j], true) : td;
    }),
  );
  const heads = columns.map((column) => head("col", column));
  const sides = rows.map((row) => head("row", row));
  const sums = columns.map((_, j) => parts.reduce((sum, row) => sum + row[j], 0));
  const table = h(
    "table",
    {
      class: `cells pair-grid${tight ? " tight" : ""}`,
      role: "grid",
      "aria-label": "What each pair of words adds; arrow keys move",
      style: { "--n": columns.length },
    },
    h("thead", {}, h("tr", {}, h("td"), heads, h("th", { scope: "col", class: "sum" }, h("span", {}, "sum")))),
    h(
      "tbody",
      {},
      rows.map((_, i) => h("tr", {}, sides[i], cells[i], h("td", { class: "sum" }, number(parts[i].reduce(add, 0))))),
    ),
    h(
      "tfoot",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "row", class: "sum" }, "sum"),
        sums.map((sum) => h("td", { class: "sum" }, h("span", {}, number(sum)))),
        h("td", { class: "sum whole" }, number(found.similarity)),
      ),
    ),
  );
  roveGrid(table, cells);
  listen(table, cells, rows, columns, on);
  const scroll = h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Every pair of words", id: "pair-matrix" },
    table,
  );
  return {
    scroll,
    isFolded: others.some(Boolean),
    /** What is saved: the pairs of words, without the sums over others. */
    picture: () => ({
      title: `Similarity ${number(found.similarity)}${others.some(Boolean) ? ", the strongest words" : ""}`,
      rows: kept[0].map((_, i) => rows[i].said),
      columns: kept[1].map((_, j) => columns[j].said),
      numbers: kept[0].map((_, i) => kept[1].map((_, j) => parts[i][j])),
      shades: kept[0].map((_, i) => kept[1].map((_, j) => shades[i * n + j])),
      isSigned: true,
    }),
    /** Mark the row and column of two words (−1: none). @param {number} i @param {number} j */
    mark(i, j) {
      const [a, b] = [rows.findIndex((r) => r.word === i && i >= 0), columns.findIndex((c) => c.word === j && j >= 0)];
      sides.forEach((th, at) => th.classList.toggle("on", at === a));
      heads.forEach((th, at) => th.classList.toggle("on", at === b));
      cells.forEach((row, y) =>
        row.forEach((td, x) => {
          td.classList.toggle("on", y === a && x === b);
          td.classList.toggle("along", y === a && b < 0);
          td.classList.toggle("down", x === b && a < 0);
        }),
      );
    },
  };
}

const add = (a, b) => a + b;

function head(scope, { said, known, word }) {
  const kind = [word < 0 && "others", !known && "unknown"].filter(Boolean).join(" ");
  return h("th", { scope, dir: "auto", class: kind || null }, h("span", {}, said));
}

/** One listener for all cells. */
function listen(table, cells, rows, columns, on) {
  const place = new Map();
  cells.forEach((row, i) => row.forEach((td, j) => place.set(td, [rows[i].word, columns[j].word])));
  const over = (event) => {
    const at = place.get(event.target.closest("td"));
    if (at) on.over(...at);
  };
  table.addEventListener("pointerover", over);
  table.addEventListener("focusin", over);
  table.addEventListener("pointerleave", on.out);
  table.addEventListener("focusout", on.out);
}
