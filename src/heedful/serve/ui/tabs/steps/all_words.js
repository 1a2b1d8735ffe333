// After the six steps: all words at once by matrices, and how the heads are joined.

import { h, indexed } from "../../lib/dom.js";
import { leftOut, listTable } from "./tables.js";
import { equality, nameQuoted } from "./words.js";
import { allNumbers, block, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

/** @typedef {import("./numbers.js").Facts} Facts */

/** The matrix form. @param {Facts} f */
export function matrices(f) {
  const { q, k, v: values, matrix, product, d_k } = f.data;
  const n = f.shown.length;
  const marked = f.shown.indexOf(f.at);
  const high = Math.max(3, Math.min(10, Math.floor(120 / n))); // px of a cell
  const pick = (rows) => f.shown.map((i) => rows[i]);
  const by = (rows, most) => rows.map((each) => each.map((x) => x / most));
  const scores = f.shown.map((i) =>
    f.shown.map((j) => q[i].reduce((sum, x, at) => sum + x * k[j][at], 0) / Math.sqrt(d_k)),
  );
  const size = sizeOf([...q, ...k, ...values]);
  const shown = (name, shape, shades, isSigned, wide = high) =>
    figure(name, shape, shades, { wide, high, marked, isSigned });
  const narrow = Math.max(2, Math.min(7, Math.floor(112 / d_k)));
  const turned = q[0].map((_, i) => pick(k).map((key) => key[i] / size));
  const sign = (said) => h("span", { class: "sign", "aria-hidden": "true" }, said);
  return [
    h(
      "div",
      { class: "factors" },
      shown("Q", `${n} × ${d_k}`, by(pick(q), size), true, narrow),
      sign("×"),
      figure("Kᵀ", `${d_k} × ${n}`, turned, { wide: high, high: narrow, isSigned: true }),
      sign(`/ √${d_k} =`),
      shown("scores", `${n} × ${n}`, by(scores, sizeOf(scores)), true),
    ),
    h(
      "div",
      { class: "factors" },
      sign("softmax →"),
      shown(
        "weights",
        `${n} × ${n}`,
        by(
          f.shown.map((i) => pick(matrix[i])),
          sizeOf(matrix),
        ),
        false,
      ),
      sign("×"),
      shown("V", `${n} × ${d_k}`, by(pick(values), size), true, narrow),
      sign("="),
      shown("Z", `${n} × ${d_k}`, by(pick(product), sizeOf(product)), true, narrow),
    ),
    h("p", { class: "soft" }, `Framed: the row of ${nameQuoted(f)}.${leftOut(f)}`),
    allNumbers("Row of the product, and the sum of step 6", [
      { name: "by six steps", values: f.summed },
      { name: "by matrices", values: product[f.at] },
    ]),
    h("p", {}, h("strong", {}, equality(f))),
  ];
}

const figure = (name, shape, shades, about) =>
  h(
    "figure",
    { class: "factor" },
    h("figcaption", {}, h("b", {}, name), " ", h("span", { class: "soft" }, shape)),
    h("div", { class: "fit" }, block(shades, { ...about, label: `${name}, ${shape}` })),
  );

/** The heads, and what is added to the word. @param {Facts} f */
export function joined(f) {
  const { concatenated, joined: after, d_k, head, looks } = f.data;
  if (!f.hasJoined) {
    const said = `The server gives these numbers for the first ${nameQuoted(f)} of a text only: this is a later one.`;
    return [h("p", { class: "note" }, said)];
  }
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
    listTable(["", "what each head found"], rows, "what each head found"),
    h("h3", {}, indexed(`After W_O: what is added to ${nameQuoted(f)}`)),
    roveStrips(h("div", {}, vector(after, { size: sizeOf([after]), name: "joined", big: true }))),
    allNumbers("All numbers", [
      { name: "heads, one after the other", values: concatenated },
      { name: "after W_O", values: after },
    ]),
  ];
}
