// Every pair of words as a table whose cells sum to the similarity.

import { roveGrid } from "../../lib/arrow_keys.js";
import { count, h, number } from "../../lib/dom.js";
import { shade } from "../../lib/heat.js";
import { short } from "../../lib/truncate.js";

const ROOMY = 14; // columns that have room for numbers

/** @typedef {import("../../lib/types.js").Similarity} Similarity */
/** @typedef {{word: number, name: string, isKnown: boolean}} Heading  word: −1 for all other words */
/** @typedef {{over: (i: number, j: number) => void, out: () => void}} Listener */

/** @param {Similarity} result @param {Listener} on */
export function pairGrid(result, on) {
  const { words, others, parts, shades, sums } = result.view.grid;
  const [rows, columns] = [headings(result, 0), headings(result, 1)];
  const isFolded = others.some(Boolean);
  const cells = rows.map((_, i) => columns.map((_, j) => cell(parts[i][j], shades[i]?.[j], j < words[1].length)));
  const heads = columns.map((column) => head("col", column));
  const sides = rows.map((row) => head("row", row));
  const table = h(
    "table",
    {
      class: `cells pair-grid${columns.length > ROOMY ? " tight" : ""}`,
      role: "grid",
      "aria-label": "Part of each pair of words; arrow keys move",
      style: { "--n": columns.length },
    },
    h("thead", {}, h("tr", {}, h("td"), heads, h("th", { scope: "col", class: "sum" }, h("span", {}, "sum")))),
    h(
      "tbody",
      {},
      rows.map((_, i) => h("tr", {}, sides[i], cells[i], h("td", { class: "sum" }, number(sums[0][i])))),
    ),
    h("tfoot", {}, footer(sums[1].slice(0, columns.length), result.similarity)),
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
    isFolded,
    /** What is saved: the pairs of words, without the sums over others. */
    picture: () => ({
      title: `Similarity ${number(result.similarity)}${isFolded ? ", the strongest words" : ""}`,
      rows: words[0].map((_, i) => rows[i].name),
      columns: words[1].map((_, j) => columns[j].name),
      numbers: words[0].map((_, i) => words[1].map((_, j) => parts[i][j])),
      shades,
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

/** The words of one text that have a row or column, and one for all others. @param {Similarity} result @param {number} side @returns {Heading[]} */
function headings({ texts, view }, side) {
  const { words, others } = view.grid;
  const named = words[side].map((i) => {
    const word = texts[side].words[i];
    return { word: i, name: short(word.text), isKnown: word.is_known !== false };
  });
  const rest = others[side];
  return rest ? [...named, { word: -1, name: count(rest, "other word"), isKnown: true }] : named;
}

/** @param {number} part @param {number|undefined} shaded undefined: a sum over other words @param {boolean} isNarrow */
function cell(part, shaded, isNarrow) {
  const kind = shaded !== undefined ? "c" : isNarrow ? "others turned" : "others";
  const td = h("td", { class: kind, "data-n": number(part, 4, true) }, h("b", {}, number(part)));
  return shaded === undefined ? td : shade(td, shaded, true);
}

/** @param {number[]} sums @param {number} whole */
const footer = (sums, whole) =>
  h(
    "tr",
    {},
    h("th", { scope: "row", class: "sum" }, "sum"),
    sums.map((sum) => h("td", { class: "sum" }, h("span", {}, number(sum)))),
    h("td", { class: "sum whole" }, number(whole)),
  );

/** @param {string} scope @param {Heading} heading */
function head(scope, { name, isKnown, word }) {
  const kind = [word < 0 && "others", !isKnown && "unknown"].filter(Boolean).join(" ");
  return h("th", { scope, dir: "auto", class: kind || null }, h("span", {}, name));
}

/**
 * One listener for all cells.
 * @param {HTMLElement} table @param {HTMLElement[][]} cells @param {Heading[]} rows @param {Heading[]} columns @param {Listener} on
 */
function listen(table, cells, rows, columns, on) {
  /** @type {Map<Element, [number, number]>} */
  const places = new Map();
  cells.forEach((row, i) => row.forEach((td, j) => places.set(td, [rows[i].word, columns[j].word])));
  const over = (/** @type {Event} */ event) => {
    const td = /** @type {Element} */ (event.target).closest("td");
    const at = td && places.get(td);
    if (at) on.over(...at);
  };
  table.addEventListener("pointerover", over);
  table.addEventListener("focusin", over);
  table.addEventListener("pointerleave", on.out);
  table.addEventListener("focusout", on.out);
}
