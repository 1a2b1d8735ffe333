// Lists of words with their numbers: a row for each.

import { h, number } from "../../lib/dom.js";
import { roveStrips } from "../../lib/vector_strip.js";

/** @typedef {import("../../lib/types.js").Steps} Steps */

/**
 * A row: the name (a button where its sum can be written out) and cells.
 * @param {Steps} steps @param {number} i @param {((i: number) => void)|null} choose @param {Node[]} cells
 */
export function row(steps, i, choose, cells, other = -1) {
  const name = steps.view.names[i];
  const props = { type: "button", class: "word", "aria-pressed": String(i === other), data: { key: `other-${i}` } };
  const head = choose ? h("button", { ...props, onclick: () => choose(i) }, name) : name;
  return h("tr", { class: i === steps.token ? "followed" : null }, h("th", { scope: "row", dir: "auto" }, head), cells);
}

/** @param {string[]} heads the first stands over the names; those of numbers begin with # @param {Node[]} rows @param {string} label */
export function listTable(heads, rows, label) {
  const head = heads.map((title) => {
    if (!title) return h("td");
    return title.startsWith("#")
      ? h("th", { scope: "col", class: "n" }, title.slice(1))
      : h("th", { scope: "col" }, title);
  });
  const table = h("table", { class: "list" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
  return roveStrips(h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table));
}

/** A number. @param {number} x */
export const cell = (x, digits = 2) => h("td", { class: "n" }, number(x, digits));

/** A bar. @param {number} share from 0 to 1 */
export const bar = (share) => h("td", { class: "share" }, h("i", { style: { "--w": share.toFixed(3) } }));

/** The note where not all words are shown, to follow another sentence. @param {Steps} steps */
export const leftOut = ({ view }) => (view.left_out ? ` ${view.left_out}` : "");

/** The same on a line of its own. @param {Steps} steps */
export const note = ({ view }) => (view.left_out ? h("p", { class: "soft" }, view.left_out) : null);
