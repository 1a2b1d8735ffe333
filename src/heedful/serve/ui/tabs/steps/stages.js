// What is seen at each step: the formula, the sum for one word, and the numbers of all.

import { h, number } from "../../lib/dom.js";
import { relative } from "../../lib/heat.js";
import { bar, cell, leftOut, listTable, note, row } from "./tables.js";
import { joined, matrices } from "./all_words.js";
import { nameOf, nameQuoted, rootOf, worked } from "./words.js";
import { allNumbers, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

/** @typedef {import("./numbers.js").Facts} Facts */

const v = (name, under) => h("var", {}, name, under ? h("sub", {}, under) : null);

/** The formula of each step. @param {Facts} f */
export function formulas(f) {
  const word = nameOf(f, f.at);
  const root = ["√", v("d", "k")];
  const of = (name) => [v(name), " = ", v("x"), " ", v("W", name.toUpperCase()), " + ", v("b", name.toUpperCase())];
  return [
    [of("q"), h("span", { class: "gap" }), of("k"), h("span", { class: "gap" }), of("v")],
    [
      "score",
      h("sub", {}, "j"),
      " = ",
      v("q", word),
      " · ",
      v("k", "j"),
      " = ∑",
      h("sub", {}, "i"),
      " ",
      v("q", "i"),
      " ",
      v("k", "ji"),
    ],
    [
      v("s", "j"),
      " = score",
      h("sub", {}, "j"),
      " / ",
      root,
      ` = score`,
      h("sub", {}, "j"),
      ` / ${rootOf(f.data.d_k)}`,
    ],
    [
      "weight",
      h("sub", {}, "j"),
      " = ",
      v("e"),
      h("sup", {}, "s", h("sub", {}, "j")),
      " / ∑",
      h("sub", {}, "i"),
      " ",
      v("e"),
      h("sup", {}, "s", h("sub", {}, "i")),
    ],
    ["weight", h("sub", {}, "j"), " ", v("v", "j")],
    [v("z"), " = ∑", h("sub", {}, "j"), " weight", h("sub", {}, "j"), " ", v("v", "j")],
    [v("Z"), " = softmax(", v("Q"), " ", v("K"), "ᵀ / ", root, ") ", v("V")],
    ["[", v("z", "1"), " … ", v("z", String(f.data.looks[0].length)), "] ", v("W", "O"), " + ", v("b", "O")],
  ];
}

/**
 * The numbers of a step, counted from 0. @param {Facts} f @param {number} step
 * @param {number} other the word whose sum is written out @param {(j: number) => void} choose another
 */
export function stage(f, step, other, choose) {
  return [first, products, divided, softmax, weighted, summed, matrices, joined][step](f, other, choose);
}

function first(f) {
  const { q, k, v: values, x, d_k } = f.data;
  const size = sizeOf([...q, ...k, ...values]);
  const parts = [
    ["query", q],
    ["key", k],
    ["value", values],
  ];
  const rows = f.shown.map((i) =>
    row(
      f,
      i,
      null,
      parts.map(([name, rows]) => h("td", {}, vector(rows[i], { size, name: `${name} of ${nameOf(f, i)}` }))),
    ),
  );
  return [
    h("h3", {}, `What comes in: ${nameQuoted(f)} as ${x[0].length} numbers`),
    roveStrips(
      h(
        "div",
        {},
        vector(x[f.at], { size: sizeOf([x[f.at]]), name: `what comes in for ${nameOf(f, f.at)}`, big: true }),
      ),
    ),
    listTable(["", "query", "key", "value"], rows, "queries, keys and values"),
    h(
      "p",
      { class: "soft" },
      `${d_k} numbers each. Blue is more than 0, orange less: point at one to read it, or go there with the tab and arrow ` +
        `keys.${leftOut(f)}`,
    ),
    allNumbers(
      `All numbers of ${nameQuoted(f)}`,
      parts.map(([name, rows]) => ({ name, values: rows[f.at] })),
    ),
    allNumbers(
      "All queries, keys and values",
      parts.flatMap(([name, rows]) => f.shown.map((i) => ({ name: `${name} · ${nameOf(f, i)}`, values: rows[i] }))),
    ),
  ];
}

function products(f, other, choose) {
  const { q, k } = f.data;
  const size = sizeOf([q[f.at], ...k]);
  const rows = f.shown.map((i) =>
    row(f, i, choose, [h("td", {}, vector(k[i], { size, name: `key of ${nameOf(f, i)}` })), cell(f.scores[i])], other),
  );
  const terms = q[f.at].map((x, i) => x * k[other][i]);
  return [
    pencil(worked(f, other).product),
    listTable(
      ["", "", "#score"],
      [
        h(
          "tr",
          { class: "query" },
          h("th", { scope: "row" }, `query of ${nameQuoted(f)}`),
          h("td", {}, vector(q[f.at], { size, name: "query" })),
          h("td"),
        ),
        ...rows,
      ],
      "keys and scores",
    ),
    h("p", { class: "soft" }, `Press a word to see its sum written out.${leftOut(f)}`),
    allNumbers(`All ${terms.length} products with ${nameQuoted(f, other)}`, [
      { name: "query", values: q[f.at] },
      { name: "key", values: k[other] },
      { name: "product", values: terms },
    ]),
  ];
}

function divided(f, other, choose) {
  const rows = f.shown.map((i) => row(f, i, choose, [cell(f.scores[i]), cell(f.scaled[i])], other));
  return [
    pencil(worked(f, other).division),
    listTable(["", "#score", `#/ ${rootOf(f.data.d_k)}`], rows, "scores divided"),
  ];
}

function softmax(f, other, choose) {
  const bars = relative(f.weights);
  const powers = f.scaled.map((s) => Math.exp(s));
  const power = (x) => (x >= 1e5 || (x < 0.005 && x > 0) ? x.toExponential(1) : number(x, 2));
  const rows = f.shown.map((i) =>
    row(
      f,
      i,
      choose,
      [cell(f.scaled[i]), h("td", { class: "n" }, power(powers[i])), cell(f.weights[i], 3), bar(bars[i])],
      other,
    ),
  );
  const total = h(
    "tr",
    { class: "total" },
    h("th", { scope: "row" }, "all together"),
    h("td"),
    h("td", { class: "n" }, power(powers.reduce((a, b) => a + b, 0))),
    cell(
      f.weights.reduce((a, b) => a + b, 0),
      3,
    ),
    h("td"),
  );
  return [
    pencil(worked(f, other).softmax),
    listTable(["", "#divided", "#e to it", "#weight", ""], [...rows, total], "weights"),
    note(f),
  ];
}

function weighted(f, other, choose) {
  const values = f.data.v;
  const [size, own] = [sizeOf(values), sizeOf(f.weighted)];
  const rows = f.shown.map((i) =>
    row(
      f,
      i,
      choose,
      [
        cell(f.weights[i]),
        h("td", {}, vector(values[i], { size, name: `value of ${nameOf(f, i)}` })),
        h("td", {}, vector(f.weighted[i], { size: own, name: `weighted value of ${nameOf(f, i)}` })),
      ],
      other,
    ),
  );
  return [
    pencil(worked(f, other).value),
    listTable(["", "#weight", "value", "weight × value"], rows, "weighted values"),
    h(
      "p",
      { class: "soft" },
      `The products are smaller than the values, so they have a scale of colours of their own.${leftOut(f)}`,
    ),
    allNumbers(
      "All weighted values",
      f.shown.map((i) => ({ name: nameOf(f, i), values: f.weighted[i] })),
    ),
  ];
}

function summed(f) {
  const size = sizeOf([...f.weighted, f.summed]);
  const rows = f.shown.map((i) =>
    row(f, i, null, [h("td", {}, vector(f.weighted[i], { size, name: `weighted value of ${nameOf(f, i)}` }))]),
  );
  const total = h(
    "tr",
    { class: "total" },
    h("th", { scope: "row" }, "sum"),
    h("td", {}, vector(f.summed, { size, name: "sum", big: true })),
  );
  return [
    listTable(["", "weight × value"], [...rows, total], "weighted values and their sum"),
    note(f),
    allNumbers("All numbers of the sum", [{ name: "sum", values: f.summed }]),
  ];
}

const pencil = (said) => (said ? h("p", { class: "worked" }, said) : null);
