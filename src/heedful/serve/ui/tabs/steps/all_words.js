// After the six steps: all words at once by matrices, and how the heads are joined.

import { h, indexed } from "../../lib/dom.js";
import { leftOut, listTable } from "./tables.js";
import { allNumbers, block, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

/** @typedef {import("../../lib/types.js").Steps} Steps */

/** The matrix form. @param {Steps} steps */
export function matrices(steps) {
  const { q, k, v: values, matrix, product, d_k } = steps;
  const n = steps.view.shown.length;
  const marked = steps.view.shown.indexOf(steps.token);
  const high = Math.max(3, Math.min(10, Math.floor(120 / n))); // px of a cell
  const pick = (/** @type {any[]} */ rows) => steps.view.shown.map((i) => rows[i]);
  const by = (/** @type {number[][]} */ rows, /** @type {number} */ most) =>
    rows.map((each) => each.map((x) => x / most));
  const { scores } = steps.view;
  const size = sizeOf([...q, ...k, ...values]);
  /** @param {string} name @param {string} shape @param {number[][]} shades @param {boolean} isSigned */
  const square = (name, shape, shades, isSigned, wide = high) =>
    figure(name, shape, shades, { wide, high, marked, isSigned });
  const narrow = Math.max(2, Math.min(7, Math.floor(112 / d_k)));
  const turned = q[0].map((_, i) => pick(k).map((key) => key[i] / size));
  const sign = (/** @type {string} */ symbol) => h("span", { class: "sign", "aria-hidden": "true" }, symbol);
  return [
    h(
      "div",
      { class: "factors" },
      square("Q", `${n} × ${d_k}`, by(pick(q), size), true, narrow),
      sign("×"),
      figure("Kᵀ", `${d_k} × ${n}`, turned, { wide: high, high: narrow, isSigned: true }),
      sign(`/ √${d_k} =`),
      square("scores", `${n} × ${n}`, by(scores, sizeOf(scores)), true),
    ),
    h(
      "div",
      { class: "factors" },
      sign("softmax →"),
      square(
        "weights",
        `${n} × ${n}`,
        by(
          steps.view.shown.map((i) => pick(matrix[i])),
          sizeOf(matrix),
        ),
        false,
      ),
      sign("×"),
      square("V", `${n} × ${d_k}`, by(pick(values), size), true, narrow),
      sign("="),
      square("Z", `${n} × ${d_k}`, by(pick(product), sizeOf(product)), true, narrow),
    ),
    h("p", { class: "soft" }, `Framed: the row of ${steps.view.word}.${leftOut(steps)}`),
    allNumbers("Row of the product, and the sum of step 6", [
      { name: "by six steps", values: steps.summed },
      { name: "by matrices", values: product[steps.token] },
    ]),
    h("p", {}, h("strong", {}, steps.view.equality)),
  ];
}

/**
 * @param {string} name @param {string} shape @param {number[][]} shades
 * @param {{wide: number, high: number, marked?: number, isSigned?: boolean}} about
 */
const figure = (name, shape, shades, about) =>
  h(
    "figure",
    { class: "factor" },
    h("figcaption", {}, h("b", {}, name), " ", h("span", { class: "soft" }, shape)),
    h("div", { class: "fit" }, block(shades, { ...about, label: `${name}, ${shape}` }).el),
  );

/** The heads, and what is added to the word. @param {Steps} steps */
export function joined(steps) {
  const { concatenated, joined: after, d_k, head, looks } = steps;
  const size = sizeOf([concatenated]);
  const rows = looks[0].map((_, i) => {
    const part = concatenated.slice(i * d_k, (i + 1) * d_k);
    return h(
      "tr",
      { class: i + 1 === head ? "followed" : null },
      h("th", { scope: "row" }, `head ${i + 1}`),
      h("td", {}, vector(part, { size, name: `head ${i + 1}` })),
    );
  });
  return [
    listTable(["", "output of each head"], rows, "output of each head"),
    h("h3", {}, indexed(`After W_O: what is added to ${steps.view.word}`)),
    roveStrips(h("div", {}, vector(after, { size: sizeOf([after]), name: "joined", big: true }))),
    allNumbers("All numbers", [
      { name: "heads, one after the other", values: concatenated },
      { name: "after W_O", values: after },
    ]),
  ];
}
