// What is seen at each step: the formula, the sum for one word, and the numbers of all.

import { h, number } from "../../lib/dom.js";
import { bar, cell, leftOut, listTable, note, row } from "./tables.js";
import { joined, matrices } from "./all_words.js";
import { divisionSum, productSum, quotedName, rootOf, softmaxSum, totalPower, valueSum } from "./sums.js";
import { allNumbers, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

/** @typedef {import("../../lib/types.js").Steps} Steps */
/** @typedef {(j: number) => void} Choose */

/** A variable, with an index or without. @param {string} name @param {string} [under] */
const v = (name, under) => h("var", {}, name, under ? h("sub", {}, under) : null);

/** The formula of each step. @param {Steps} steps */
export function formulas(steps) {
  const word = steps.view.names[steps.token];
  const root = ["√", v("d", "k")];
  const of = (/** @type {string} */ name) => [
    v(name),
    " = ",
    v("x"),
    " ",
    v("W", name.toUpperCase()),
    " + ",
    v("b", name.toUpperCase()),
  ];
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
    [v("s", "j"), " = score", h("sub", {}, "j"), " / ", root, ` = score`, h("sub", {}, "j"), ` / ${rootOf(steps.d_k)}`],
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
    ["[", v("z", "1"), " … ", v("z", String(steps.looks[0].length)), "] ", v("W", "O"), " + ", v("b", "O")],
  ];
}

/**
 * The numbers of a step, counted from 0. @param {Steps} steps @param {number} step
 * @param {number} other the word whose sum is written out @param {(j: number) => void} choose another
 */
export function stage(steps, step, other, choose) {
  return [first, products, divided, softmax, weighted, summed, matrices, joined][step](steps, other, choose);
}

/** @param {Steps} steps */
function first(steps) {
  const { q, k, v: values, x, d_k } = steps;
  const size = sizeOf([...q, ...k, ...values]);
  const parts = [
    { name: "query", vectors: q },
    { name: "key", vectors: k },
    { name: "value", vectors: values },
  ];
  const rows = steps.view.shown.map((i) =>
    row(
      steps,
      i,
      null,
      parts.map(({ name, vectors }) =>
        h("td", {}, vector(vectors[i], { size, name: `${name} of ${steps.view.names[i]}` })),
      ),
    ),
  );
  return [
    h("h3", {}, `What comes in: ${steps.view.word} as ${x[0].length} numbers`),
    roveStrips(
      h(
        "div",
        {},
        vector(x[steps.token], {
          size: sizeOf([x[steps.token]]),
          name: `what comes in for ${steps.view.names[steps.token]}`,
          big: true,
        }),
      ),
    ),
    listTable(["", "query", "key", "value"], rows, "queries, keys and values"),
    h(
      "p",
      { class: "soft" },
      `${d_k} numbers each. Blue is more than 0, orange less: point at one to read it, or go there with the tab and arrow ` +
        `keys.${leftOut(steps)}`,
    ),
    allNumbers(
      `All numbers of ${steps.view.word}`,
      parts.map(({ name, vectors }) => ({ name, values: vectors[steps.token] })),
    ),
    allNumbers(
      "All queries, keys and values",
      parts.flatMap(({ name, vectors }) =>
        steps.view.shown.map((i) => ({ name: `${name} · ${steps.view.names[i]}`, values: vectors[i] })),
      ),
    ),
  ];
}

/** @param {Steps} steps @param {number} other @param {Choose} choose */
function products(steps, other, choose) {
  const { q, k } = steps;
  const size = sizeOf([q[steps.token], ...k]);
  const rows = steps.view.shown.map((i) =>
    row(
      steps,
      i,
      choose,
      [h("td", {}, vector(k[i], { size, name: `key of ${steps.view.names[i]}` })), cell(steps.scores[i])],
      other,
    ),
  );
  const terms = q[steps.token].map((x, i) => x * k[other][i]);
  return [
    pencil(productSum(steps, other)),
    listTable(
      ["", "", "#score"],
      [
        h(
          "tr",
          { class: "query" },
          h("th", { scope: "row" }, `query of ${steps.view.word}`),
          h("td", {}, vector(q[steps.token], { size, name: "query" })),
          h("td"),
        ),
        ...rows,
      ],
      "keys and scores",
    ),
    h("p", { class: "soft" }, `Press a word to see its sum written out.${leftOut(steps)}`),
    allNumbers(`All ${terms.length} products with ${quotedName(steps, other)}`, [
      { name: "query", values: q[steps.token] },
      { name: "key", values: k[other] },
      { name: "product", values: terms },
    ]),
  ];
}

/** @param {Steps} steps @param {number} other @param {Choose} choose */
function divided(steps, other, choose) {
  const rows = steps.view.shown.map((i) =>
    row(steps, i, choose, [cell(steps.scores[i]), cell(steps.scaled[i])], other),
  );
  return [
    pencil(divisionSum(steps, other)),
    listTable(["", "#score", `#/ ${rootOf(steps.d_k)}`], rows, "scores divided"),
  ];
}

/** A power of e, which may be very large or very small. @param {number|null} x */
const power = (x) => (x !== null && (x >= 1e5 || (x < 0.005 && x > 0)) ? x.toExponential(1) : number(x, 2));

/** @param {Steps} steps @param {number} other @param {Choose} choose */
function softmax(steps, other, choose) {
  const { bars, powers } = steps.view;
  const rows = steps.view.shown.map((i) =>
    row(
      steps,
      i,
      choose,
      [cell(steps.scaled[i]), h("td", { class: "n" }, power(powers[i])), cell(steps.weights[i], 3), bar(bars[i])],
      other,
    ),
  );
  const total = h(
    "tr",
    { class: "total" },
    h("th", { scope: "row" }, "all together"),
    h("td"),
    h("td", { class: "n" }, power(totalPower(steps))),
    cell(
      steps.weights.reduce((a, b) => a + b, 0),
      3,
    ),
    h("td"),
  );
  return [
    pencil(softmaxSum(steps, other)),
    listTable(["", "#divided", "#e to it", "#weight", ""], [...rows, total], "weights"),
    note(steps),
  ];
}

/** @param {Steps} steps @param {number} other @param {Choose} choose */
function weighted(steps, other, choose) {
  const values = steps.v;
  const [size, own] = [sizeOf(values), sizeOf(steps.weighted)];
  const rows = steps.view.shown.map((i) =>
    row(
      steps,
      i,
      choose,
      [
        cell(steps.weights[i]),
        h("td", {}, vector(values[i], { size, name: `value of ${steps.view.names[i]}` })),
        h("td", {}, vector(steps.weighted[i], { size: own, name: `weighted value of ${steps.view.names[i]}` })),
      ],
      other,
    ),
  );
  return [
    pencil(valueSum(steps, other)),
    listTable(["", "#weight", "value", "weight × value"], rows, "weighted values"),
    h(
      "p",
      { class: "soft" },
      `The products are smaller than the values, so they have a scale of colours of their own.${leftOut(steps)}`,
    ),
    allNumbers(
      "All weighted values",
      steps.view.shown.map((i) => ({ name: steps.view.names[i], values: steps.weighted[i] })),
    ),
  ];
}

/** @param {Steps} steps */
function summed(steps) {
  const size = sizeOf([...steps.weighted, steps.summed]);
  const rows = steps.view.shown.map((i) =>
    row(steps, i, null, [
      h("td", {}, vector(steps.weighted[i], { size, name: `weighted value of ${steps.view.names[i]}` })),
    ]),
  );
  const total = h(
    "tr",
    { class: "total" },
    h("th", { scope: "row" }, "sum"),
    h("td", {}, vector(steps.summed, { size, name: "sum", big: true })),
  );
  return [
    listTable(["", "weight × value"], [...rows, total], "weighted values and their sum"),
    note(steps),
    allNumbers("All numbers of the sum", [{ name: "sum", values: steps.summed }]),
  ];
}

/** @param {string} sum */
const pencil = (sum) => (sum ? h("p", { class: "worked" }, sum) : null);
