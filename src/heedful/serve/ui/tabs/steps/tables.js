// Lists of words with their numbers: a row for each.

import { h, number } from "../../lib/dom.js";
import { nameOf } from "./words.js";
import { roveStrips } from "../../lib/vector_strip.js";

/** @typedef {import("./numbers.js").Facts} Facts */

/**
 * A row: the name (a button where its sum can be written out) and cells.
 * @param {Facts} f @param {number} i @param {((i: number) => void)|null} choose @param {Node[]} cells
 */
export function row(f, i, choose, cells, other = -1) {
  const name = nameOf(f, i);
  const props = { type: "button", class: "word", "aria-pressed": String(i === other), data: { key: `other-${i}` } };
  const head = choose ? h("button", { ...props, onclick: () => choose(i) }, name) : name;
  return h("tr", { class: i === f.at ? "followed" : null }, h("th", { scope: "row", dir: "auto" }, head), cells);
}

/** @param {string[]} heads the first stands over the names; those of numbers begin with # @param {Node[]} rows @param {string} label */
export function listTable(heads, rows, label) {
  const head = heads.map((said) => {
    if (!said) return h("td");
    return said.startsWith("#")
      ? h("th", { scope: "col", class: "n" }, said.slice(1))
      : h("th", { scope: "col" }, said);
  });
  const table = h("table", { class: "list" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
  return roveStrips(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table));
}

/** A number. @param {number} x */
export const cell = (x, digits = 2) => h("td", { class: "n" }, number(x, digits));

/** A bar. @param {number} share from 0 to 1 */
export const bar = (share) => h("td", { class: "share" }, h("i", { style: { "--w": share.toFixed(3) } }));

/** What is said where not all words are shown. @param {Facts} f */
export function leftOut(f) {
  if (f.shown.length === f.names.length) return "";
  return ` Shown are ${f.shown.length} of ${f.names.length} words, those with most weight; all are counted in the sums.`;
}

/** The same on a line of its own. @param {Facts} f */
export const note = (f) => (leftOut(f) ? h("p", { class: "soft" }, leftOut(f)) : null);
