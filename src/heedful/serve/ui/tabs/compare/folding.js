// The parts of a similarity, folded to what can be looked at. Nothing is lost: what is left out is summed.

import { relative } from "../../lib/heat.js";
import { quoted } from "../../lib/truncate.js";

/** @typedef {{text: string, start: number, end: number, is_known: boolean, adds: number}} Word */

const READINGS = [
  [0.8, "very much alike"],
  [0.6, "much alike"],
  [0.4, "somewhat alike"],
  [0.2, "a little alike"],
  [-0.2, "hardly alike"],
];
const NAMED = 5; // unknown words that are named
const FAINT = 0.08; // of the strongest: such a part has no colour and no sign

/** A similarity in plain words. @param {number} score */
export const reading = (score) => READINGS.find(([low]) => score >= low)?.[1] ?? "opposed";

/** Shades from −1 to 1 with the signs of the parts; parts that are all alike are all faint. @param {number[]} parts */
export function signedShades(parts) {
  const total = Math.max(sizes(parts), 1e-12);
  return relative(parts.map((part) => Math.abs(part) / total)).map((shade, i) =>
    shade < FAINT ? 0 : Math.sign(parts[i]) * shade,
  );
}

/**
 * Keep at most so many words of each text (and one more, rather than an "other" row of a single word).
 * @param {number[][]} matrix @param {number} most
 * @returns {{kept: [number[], number[]], others: [number, number], parts: number[][]}} the last row and column are the others'
 */
export function folded(matrix, most) {
  const n = matrix[0]?.length ?? 0;
  const rows = strongest(
    matrix.map((row) => sizes(row)),
    most,
  );
  const columns = strongest(
    Array.from({ length: n }, (_, j) => sizes(matrix.map((row) => row[j]))),
    most,
  );
  const place = new Array(n).fill(columns.length);
  columns.forEach((j, at) => (place[j] = at));
  const parts = Array.from({ length: rows.length + 1 }, () => new Array(columns.length + 1).fill(0));
  const rowPlace = new Array(matrix.length).fill(rows.length);
  rows.forEach((i, at) => (rowPlace[i] = at));
  matrix.forEach((row, i) => row.forEach((part, j) => (parts[rowPlace[i]][place[j]] += part)));
  return { kept: [rows, columns], others: [matrix.length - rows.length, n - columns.length], parts };
}

const sizes = (numbers) => numbers.reduce((sum, x) => sum + Math.abs(x), 0);

/** The places of the largest, in reading order. */
function strongest(strength, most) {
  const all = strength.map((_, i) => i);
  if (all.length <= most + 1) return all;
  return all
    .sort((a, b) => strength[b] - strength[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
}

/**
 * The pairs that add most and those that take most away; the same two words are one pair, summed.
 * @param {{texts: {words: Word[]}[], matrix: number[][]}} found @param {number} n
 */
export function strongestPairs(found, n) {
  const [first, second] = found.texts.map(({ words }) => different(words));
  const pairs = new Map();
  found.matrix.forEach((row, i) =>
    row.forEach((part, j) => {
      const key = first.place[i] * second.names.length + second.place[j];
      const pair = pairs.get(key) ?? {
        words: [first.names[first.place[i]], second.names[second.place[j]]],
        part: 0,
        times: 0,
        at: [i, j],
      };
      pair.part += part;
      pair.times += 1;
      pairs.set(key, pair);
    }),
  );
  const order = [...pairs.values()].sort((a, b) => b.part - a.part);
  return {
    adding: order.slice(0, n).filter(({ part }) => part > 0),
    taking: order
      .slice(-n)
      .reverse()
      .filter(({ part }) => part < 0),
  };
}

/** The words that differ by more than case, and the place among them of each. @param {Word[]} words */
function different(words) {
  const seen = new Map();
  const names = [];
  const place = words.map(({ text }) => {
    const form = text.toLowerCase();
    if (!seen.has(form)) {
      seen.set(form, names.length);
      names.push(text);
    }
    return seen.get(form);
  });
  return { names, place };
}

/** What to think of words that the model does not know, or "". @param {{words: Word[]}[]} texts */
export function unknownNote(texts) {
  const unknown = [...new Set(texts.flatMap(({ words }) => words.filter((w) => !w.is_known).map((w) => w.text)))];
  if (!unknown.length) return "";
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : "";
  return (
    `The model does not know ${unknown
      .slice(0, NAMED)
      .map((w) => quoted(w))
      .join(", ")}${more}: do not rely on the parts of ` + `such words.`
  );
}
