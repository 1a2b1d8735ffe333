// Steps 2 to 5 for a pair of words, as sums that can be checked with a pencil.

import { number } from "../../lib/dom.js";

/** @typedef {import("../../lib/types.js").Steps} Steps */

const TERMS = 3; // that are written out

/** A token in quotes. @param {Steps} steps @param {number} i */
export const quotedName = (steps, i) => `“${steps.view.names[i]}”`;

/** √d_k. @param {number} d_k */
export const rootOf = (d_k) => number(Math.sqrt(d_k), Number.isInteger(Math.sqrt(d_k)) ? 0 : 2);

/** @param {number} x */
const factor = (x) => (number(x, 2).startsWith("−") ? `(${number(x, 2)})` : number(x, 2));
/** @param {number} x */
const threeDigits = (x) => Number(x.toPrecision(3)).toString();
/** @param {number[]} values */
const first = (values) =>
  values
    .slice(0, TERMS)
    .map((x) => number(x, 2))
    .join(", ");

/** The score. @param {Steps} steps @param {number} j */
export function productSum(steps, j) {
  const { q, k, d_k, token } = steps;
  const terms = q[token].slice(0, TERMS).map((x, i) => `${factor(x)} × ${factor(k[j][i])}`);
  const more = d_k > TERMS ? " + …" : "";
  return `${steps.view.word} and ${quotedName(steps, j)}: ${terms.join(" + ")}${more} = ${number(steps.scores[j], 2)}`;
}

/** The score divided by √d_k. @param {Steps} steps @param {number} j */
export const divisionSum = (steps, j) =>
  `${quotedName(steps, j)}: ${number(steps.scores[j], 2)} / ${rootOf(steps.d_k)} = ${number(steps.scaled[j], 2)}`;

/** The softmax; nothing where a power is too large to be written. @param {Steps} steps @param {number} j */
export function softmaxSum(steps, j) {
  const total = totalPower(steps);
  const power = steps.view.powers[j];
  if (total === null || power === null) return "";
  return (
    `${quotedName(steps, j)}: e^${number(steps.scaled[j], 2)} = ${threeDigits(power)}; all together ${threeDigits(total)}; ` +
    `${threeDigits(power)} / ${threeDigits(total)} = ${number(steps.weights[j], 2)}`
  );
}

/** The weighted value. @param {Steps} steps @param {number} j */
export const valueSum = (steps, j) =>
  `${quotedName(steps, j)}: ${number(steps.weights[j], 2)} × (${first(steps.v[j])}, …) = (${first(steps.weighted[j])}, …)`;

/** The sum of all powers, or null where it is too large. @param {Steps} steps */
export const totalPower = ({ view }) =>
  view.powers.reduce((/** @type {number|null} */ sum, x) => (sum === null || x === null ? null : sum + x), 0);
