// All there is to see of one similarity: the number, the texts, the matrix of words, the strongest pairs.

import { pairGrid } from "./grid.js";
import { reading, strongestPairs, unknownNote } from "./folding.js";
import { pairText } from "./text.js";
import { h, number } from "../../lib/dom.js";
import { legend, named } from "../../lib/heat.js";
import { matrixSaves } from "../../lib/matrix_svg.js";
import { quoted, short } from "../../lib/truncate.js";
import { visible } from "../../lib/visible.js";

export const READ_BOTH = "Write something in both boxes: a text without words is like nothing.";
const PAIRS = 6;
const NAMES = ["First text", "Second text"];
const SCALE =
  "1 means the same to the model, 0 has nothing in common, below 0 is opposed. What counts as high differs by model.";
const ACCOUNT =
  "The parts add up to the whole exactly. They are an account of the model's own arithmetic, not of meaning: " +
  "a word in context carries something of its neighbours.";
const HINT = "Point at a word, or tap it, to see which words of the other text it goes with.";

/** @param {any} found what the server said */
export function account(found) {
  if (found.texts.some(({ words }) => !words.length)) return h("p", { class: "soft", id: "similarity" }, READ_BOTH);
  const said = h("p", { class: "readout", id: "compare-readout" });
  const none = () => pick(-1, -1);
  const grid = pairGrid(found, { over: pick, out: none });
  const texts = found.texts.map((side, s) =>
    pairText(side, s ? "Second" : "First", { over: (w) => (s ? pick(-1, w) : pick(w, -1)), out: none }),
  );

  /** Show what belongs to a word of the first text, to one of the second, or to two (−1: none). */
  function pick(i, j) {
    const isPair = i >= 0 && j >= 0;
    texts[0].colour(!isPair && j >= 0 ? columnOf(found, j) : undefined, i);
    texts[1].colour(!isPair && i >= 0 ? found.matrix[i] : undefined, j);
    grid.mark(i, j);
    said.textContent = visible(spoken(found, i, j));
  }

  none();
  const note = unknownNote(found.texts);
  const words = h(
    "section",
    { class: "card" },
    h("div", { class: "head" }, h("h2", {}, "Word by word"), legend("takes away", "adds", true)),
    h(
      "div",
      { class: "maps" },
      texts.map(({ box }, s) => h("div", { class: "map" }, h("h3", { class: "soft" }, NAMES[s]), box)),
    ),
    note ? h("p", { class: "remark" }, note) : null,
    said,
  );
  const matrix = h(
    "section",
    { class: "card" },
    h("h2", {}, "Every pair"),
    h("p", { class: "soft" }, about(found, grid)),
    grid.scroll,
    matrixSaves("similarity", grid.picture),
  );
  return [
    h("div", { class: "pair-top" }, score(found), words),
    matrix,
    pairs(found),
    h("p", { class: "soft" }, ACCOUNT),
  ];
}

const columnOf = (found, j) => found.matrix.map((row) => row[j]);

function about(found, grid) {
  const folds = grid.isFolded
    ? " The strongest words stand on their own, in reading order; the others are added up as one."
    : "";
  return (
    `Rows are the words of the first text, columns those of the second. All cells add up to the similarity, ` +
    `${number(found.similarity)}, exactly.${folds}`
  );
}

function spoken(found, i, j) {
  const [first, second] = found.texts.map(({ words }) => words);
  if (i < 0 && j < 0) return HINT;
  if (i >= 0 && j >= 0) {
    const part = found.matrix[i][j];
    return (
      `${quoted(first[i].text)} and ${quoted(second[j].text)} ${part < 0 ? "take away" : "add"} ` +
      `${number(Math.abs(part), digits(part))}`
    );
  }
  const [word, others, parts] = i >= 0 ? [first[i], second, found.matrix[i]] : [second[j], first, columnOf(found, j)];
  const order = parts.map((_, at) => at).sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]));
  const most = order
    .slice(0, 3)
    .map((at) => `${quoted(others[at].text)} ${number(parts[at], digits(parts[at]), true)}`);
  return (
    `${quoted(word.text)} ${word.adds < 0 ? "takes away" : "adds"} ${number(Math.abs(word.adds), digits(word.adds))}, most with ` +
    `${most.join(", ")}`
  );
}

/** After the point: in long texts every part is small. */
const digits = (part) => (Math.abs(part) < 0.01 ? 5 : 3);

function score(found) {
  const at = (Math.min(1, Math.max(-1, found.similarity)) + 1) * 50;
  const marks = h(
    "div",
    { class: "marks soft" },
    ["−1", "0", "1"].map((mark) => h("span", {}, mark)),
  );
  return h(
    "section",
    { class: "card" },
    h(
      "p",
      { class: "score", id: "similarity" },
      h("strong", {}, number(found.similarity)),
      " ",
      reading(found.similarity),
    ),
    h(
      "div",
      { "aria-hidden": "true" },
      h("div", { class: "ruler" }, h("i", { style: { "--at": `${at.toFixed(1)}%` } })),
      marks,
    ),
    h("p", { class: "soft" }, SCALE),
  );
}

function pairs(found) {
  const { adding, taking } = strongestPairs(found, PAIRS);
  const most = Math.max(...[...adding, ...taking].map(({ part }) => Math.abs(part)), 1e-12);
  const titles = [
    ["Pairs that add most", adding],
    ["Pairs that take away most", taking],
  ];
  const twice = [...adding, ...taking].some(({ times }) => times > 1);
  return h(
    "section",
    { class: "card pair-lists", id: "pair-list" },
    titles
      .filter(([, list]) => list.length)
      .map(([title, list]) => h("div", {}, h("h2", {}, title), table(list, most))),
    twice ? h("p", { class: "soft" }, "Words that occur more than once are added up.") : null,
  );
}

function table(list, most) {
  const row = ({ words, part }) => {
    const bar = h("i", { class: part < 0 ? "against" : "for", style: { "--w": (Math.abs(part) / most).toFixed(3) } });
    return h(
      "tr",
      {},
      words.map((word) => h("td", { dir: "auto" }, named(short(word)))),
      h("td", { class: "n" }, number(part, 3, true)),
      h("td", { class: "share" }, bar),
    );
  };
  const heads = h(
    "tr",
    {},
    ["in the first", "in the second", "adds"].map((said, i) =>
      h("th", { scope: "col", class: i === 2 ? "n" : null }, said),
    ),
    h("td"),
  );
  return h("table", {}, h("thead", {}, heads), h("tbody", {}, list.map(row)));
}
