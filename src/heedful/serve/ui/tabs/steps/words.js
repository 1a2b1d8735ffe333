// What is said at each step of self-attention: the words of `heedful steps` (show/steps/view.py).

import { number } from "../../lib/dom.js";
import { quoted, short } from "../../lib/truncate.js";
import { meanLooks, topOf } from "./numbers.js";

export const ANIMAL = "The animal didn't cross the street because it was too tired";
const KNOWN = { word: "it", meant: "animal" }; // every reader knows what it stands for
const LONGEST = 16; // letters of a word
const SAME = 1e-6; // numbers nearer than this differ by rounding only

/** @typedef {import("./numbers.js").Facts} Facts */

/** @param {Facts} f @param {number} i */
export const nameOf = (f, i) => short(f.names[i], LONGEST) || "�";
/** @param {Facts} f */
export const nameQuoted = (f, i = f.at) => `“${nameOf(f, i)}”`;
/** @param {number} d_k */
export const rootOf = (d_k) => number(Math.sqrt(d_k), Number.isInteger(Math.sqrt(d_k)) ? 0 : 2);
export const TITLES = [
  "Query, key, value",
  "Query times key",
  "Divided by √d_k",
  "Softmax",
  "Values times weights",
  "Their sum",
  "All words at once",
  "The heads are joined",
];

/** One sentence or two for each step, counted from 0. @param {Facts} f */
export function sentences(f) {
  const { d_k, x, q } = f.data;
  const [word, width, n] = [nameQuoted(f), x[0].length, q.length];
  return [
    `${entering(f)} They are multiplied by three matrices that the model has learned, W_Q, W_K and W_V, each ${width} × ${d_k} and ` +
      `with a bias. The query is what a word looks for, the key what it is found by, the value what it has to give.`,
    `The query of ${word} and the key of each word are multiplied number by number and added up. The larger the score, the better the ` +
      `two fit.`,
    `The more products are added up, the larger the sum can be. Divided by the root of their number, ${d_k}, scores keep a size at ` +
      `which the next step can still weigh them against each other.`,
    `e to the power of each, divided by the sum of all. Now they are weights: none below 0, together 1. This is how much ${word} ` +
      `looks at each word.`,
    "The value of each word is multiplied by its weight. The more a word is looked at, the more is left of its numbers.",
    `All rows are added up. That is what ${word} takes from the words around it, in this head: a weighted average of their values, ` +
      `${d_k} numbers.`,
    `No model goes word by word. The queries of all ${n} words are the rows of a matrix Q (${n} × ${d_k}), their keys of K, their ` +
      `values of V. Q Kᵀ has all scores, and the formula all the sums: the six steps for every word in one line.`,
    joining(f),
  ];
}

/** @param {Facts} f */
function entering(f) {
  const { layer, x, words } = f.data;
  const made = layer === 1 ? "what the word is by itself, and where it stands" : `what layer ${layer - 1} left`;
  const pieces = f.nPieces > 1 ? ` The word is in ${f.nPieces} pieces for this model; the first is followed.` : "";
  const unknown = [...new Set(words.filter((w) => w.is_known === false).map((w) => quoted(w.text, LONGEST)))];
  const more = unknown.length > 5 ? " and others" : "";
  const named = `${unknown.slice(0, 5).join(", ")}${more}`;
  const strange = unknown.length
    ? ` This model does not know ${named}: every word it does not know begins with the same numbers.`
    : "";
  return `Each word comes into this layer as ${x[0].length} numbers: ${made}, normalised.${pieces}${strange}`;
}

/** @param {Facts} f */
function joining(f) {
  const [width, heads, d_k] = [f.data.x[0].length, f.data.looks[0].length, f.data.d_k];
  if (heads === 1)
    return `There is one head. Its ${d_k} numbers are multiplied by a matrix W_O (${width} × ${width}) and added.`;
  return (
    `The ${heads} heads of this layer do the same with matrices of their own, so each may look elsewhere. Their vectors of ${d_k} ` +
    `numbers are put one after the other, ${heads} × ${d_k} = ${width}, and multiplied by a last matrix W_O (${width} × ${width}). ` +
    `The result is added to what ${nameQuoted(f)} came with.`
  );
}

const factor = (x) => (number(x, 2).startsWith("−") ? `(${number(x, 2)})` : number(x, 2));

/** Steps 2 to 5 for one other word, as sums that can be checked with a pencil. @param {Facts} f @param {number} j */
export function worked(f, j) {
  const { q, k, v, d_k } = f.data;
  const terms = [0, 1, 2].filter((i) => i < d_k).map((i) => `${factor(q[f.at][i])} × ${factor(k[j][i])}`);
  const total = f.scaled.reduce((sum, s) => sum + Math.exp(s), 0);
  const power = Math.exp(f.scaled[j]);
  const figures = (x) => Number(x.toPrecision(3)).toString();
  const few = (values) =>
    values
      .slice(0, 3)
      .map((x) => number(x, 2))
      .join(", ");
  const softmax =
    `${nameQuoted(f, j)}: e^${number(f.scaled[j], 2)} = ${figures(power)}; all together ${figures(total)}; ` +
    `${figures(power)} / ${figures(total)} = ${number(f.weights[j], 2)}`;
  return {
    product: `${nameQuoted(f)} and ${nameQuoted(f, j)}: ${terms.join(" + ")}${d_k > 3 ? " + …" : ""} = ${number(f.scores[j], 2)}`,
    division: `${nameQuoted(f, j)}: ${number(f.scores[j], 2)} / ${rootOf(d_k)} = ${number(f.scaled[j], 2)}`,
    softmax: Number.isFinite(total) ? softmax : "", // huge scores have no power that can be written
    value: `${nameQuoted(f, j)}: ${number(f.weights[j], 2)} × (${few(v[j])}, …) = (${few(f.weighted[j])}, …)`,
  };
}

/** Whether steps and matrices agree. @param {Facts} f */
export function equality(f) {
  const { matrix, product } = f.data;
  const apart = Math.max(
    ...f.weights.map((w, j) => Math.abs(matrix[f.at][j] - w)),
    ...f.summed.map((x, i) => Math.abs(product[f.at][i] - x)),
  );
  if (apart === 0) return "Steps and matrices give exactly the same numbers.";
  return (
    `Steps and matrices differ ${apart < SAME ? "only by rounding" : "by more than rounding"}: by ` +
    `${apart.toExponential(0).replace("e-", " × 10⁻").replace(/\d+$/, raised)} at most.`
  );
}

const raised = (digits) => [...digits].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("");

/** Where the word looks over all heads, and what that does not mean. @param {any} data @param {number} word */
export function honest(data, word) {
  const mean = meanLooks(data.looks, word);
  const [most] = topOf(mean, 1);
  const name = quoted(data.words[word].text, LONGEST);
  const heads = data.looks.length * data.looks[0].length;
  return [
    `Over all ${heads} heads ${name} looks most at ${quoted(data.words[most].text, LONGEST)} (${number(mean[most], 2)} of its weight; ` +
      `an even share would be ${number(1 / mean.length, 2)}).`,
    knownAnswer(data, word, mean),
    "Where a word looks is how the model computes, and no proof of what it understands: what is looked at goes through matrices " +
      "before it is added, and later layers look at vectors that are mixed already.",
  ].filter(Boolean);
}

/** In the text that everyone shows, say whether the model does what everyone says. */
function knownAnswer(data, word, mean) {
  const names = data.words.map(({ text }) => text.toLowerCase());
  const at = names.indexOf(KNOWN.meant);
  if (
    data.text.trim().replace(/\.$/, "").toLowerCase() !== ANIMAL.toLowerCase() ||
    names[word] !== KNOWN.word ||
    at < 0
  )
    return "";
  const heads = data.looks.flatMap((layer, i) => layer.map((head, j) => ({ i, j, share: head[word][at] })));
  const best = heads.reduce((a, b) => (b.share > a.share ? b : a));
  const rank = mean.filter((share) => share > mean[at]).length + 1;
  const found = rank === 1 ? "most of all" : `only at place ${rank} of ${mean.length}`;
  const excuse =
    rank > 1 && data.model === "en-tiny"
      ? " It is a tiny model, taught which sentences mean the same and never asked " + "what “it” stands for."
      : "";
  return (
    `A reader knows that “it” is the animal. This model looks at “animal” with ${number(mean[at], 2)} of its weight, ${found}; ` +
    `the head that looks there most is layer ${best.i + 1}, head ${best.j + 1} (${number(best.share, 2)}).${excuse}`
  );
}
