// One similarity: the number, the texts, the matrix of words, the strongest pairs.

import { h, number } from "../../lib/dom.js";
import { legend, named } from "../../lib/heat.js";
import { matrixSaves } from "../../lib/matrix_svg.js";
import { quoted, short } from "../../lib/truncate.js";
import { visible } from "../../lib/visible.js";
import { pairGrid } from "./grid.js";
import { pairText } from "./text.js";

/** @typedef {import("../../lib/types.js").Similarity} Similarity */
/** @typedef {import("../../lib/types.js").Pair} Pair */

export const WRITE_BOTH = "Write something in both boxes: a text without words has nothing to compare.";
const NAMES = ["First text", "Second text"];
const HINT = "Point at a word, or tap it, to see which words of the other text it goes with.";

/** @param {Similarity} result */
export function similarityView(result) {
  const { view } = result;
  if (!view.grid) return h("p", { class: "soft", id: "similarity" }, WRITE_BOTH);
  const readout = h("p", { class: "readout", id: "compare-readout" });
  const none = () => pick(-1, -1);
  const grid = pairGrid(result, { over: pick, out: none });
  const texts = result.texts.map((side, s) =>
    pairText(side, view.texts[s], s ? "Second" : "First", {
      over: (w) => (s ? pick(-1, w) : pick(w, -1)),
      out: none,
    }),
  );

  /** Show what belongs to a word of the first text, to one of the second, or to two (−1: none). @param {number} i @param {number} j */
  function pick(i, j) {
    const isPair = i >= 0 && j >= 0;
    const byFirst = !isPair && i >= 0 ? { parts: result.matrix[i], shades: view.by_first[i] } : undefined;
    const bySecond = !isPair && j >= 0 ? { parts: columnOf(result, j), shades: view.by_second[j] } : undefined;
    texts[0].colour(bySecond, i);
    texts[1].colour(byFirst, j);
    grid.mark(i, j);
    readout.textContent = visible(sentence(result, i, j));
  }

  none();
  const words = h(
    "section",
    { class: "card" },
    h("div", { class: "head" }, h("h2", {}, "Word by word"), legend("takes away", "adds", true)),
    h(
      "div",
      { class: "maps" },
      texts.map(({ box }, s) => h("div", { class: "map" }, h("h3", { class: "soft" }, NAMES[s]), box)),
    ),
    view.note ? h("p", { class: "remark" }, view.note) : null,
    readout,
  );
  const matrix = h(
    "section",
    { class: "card" },
    h("h2", {}, "Every pair"),
    h("p", { class: "soft" }, about(result, grid.isFolded)),
    grid.scroll,
    matrixSaves("similarity", grid.picture),
  );
  return [
    h("div", { class: "pair-top" }, score(result), words),
    matrix,
    pairs(view.pairs),
    h("p", { class: "soft" }, view.account),
  ];
}

/** @param {Similarity} result @param {number} j */
const columnOf = ({ matrix }, j) => matrix.map((row) => row[j]);

/** @param {Similarity} result @param {boolean} isFolded */
function about({ similarity }, isFolded) {
  const folds = isFolded
    ? " The strongest words stand on their own, in reading order; the others are added up as one."
    : "";
  return (
    "Rows are the words of the first text, columns those of the second. All cells add up to the similarity, " +
    `${number(similarity)}, exactly.${folds}`
  );
}

/** What a word or a pair adds. @param {Similarity} result @param {number} i @param {number} j */
function sentence(result, i, j) {
  const [first, second] = result.texts.map(({ words }) => words);
  if (i < 0 && j < 0) return HINT;
  if (i >= 0 && j >= 0) {
    const part = result.matrix[i][j];
    return (
      `${quoted(first[i].text)} and ${quoted(second[j].text)} ${part < 0 ? "take away" : "add"} ` +
      `${number(Math.abs(part), digits(part))}`
    );
  }
  const word = i >= 0 ? first[i] : second[j];
  const others = i >= 0 ? second : first;
  const parts = i >= 0 ? result.matrix[i] : columnOf(result, j);
  const order = parts.map((_, at) => at).sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]));
  const most = order
    .slice(0, 3)
    .map((at) => `${quoted(others[at].text)} ${number(parts[at], digits(parts[at]), true)}`);
  return (
    `${quoted(word.text)} ${word.adds < 0 ? "takes away" : "adds"} ${number(Math.abs(word.adds), digits(word.adds))}, most with ` +
    `${most.join(", ")}`
  );
}

/** After the point: in long texts every part is small. @param {number} part */
const digits = (part) => (Math.abs(part) < 0.01 ? 5 : 3);

/** @param {Similarity} result */
function score({ similarity, view }) {
  const at = (Math.min(1, Math.max(-1, similarity)) + 1) * 50;
  const marks = h(
    "div",
    { class: "marks soft" },
    ["−1", "0", "1"].map((mark) => h("span", {}, mark)),
  );
  return h(
    "section",
    { class: "card" },
    h("p", { class: "score", id: "similarity" }, h("strong", {}, number(similarity)), " ", view.reading),
    h(
      "div",
      { "aria-hidden": "true" },
      h("div", { class: "ruler" }, h("i", { style: { "--at": `${at.toFixed(1)}%` } })),
      marks,
    ),
    h("p", { class: "soft" }, view.scale),
  );
}

/** @param {{adding: Pair[], taking: Pair[]}} pairs */
function pairs({ adding, taking }) {
  const all = [...adding, ...taking];
  const most = Math.max(...all.map(({ part }) => Math.abs(part)), 1e-12);
  const lists = [
    { title: "Pairs that add most", list: adding },
    { title: "Pairs that take away most", list: taking },
  ];
  return h(
    "section",
    { class: "card pair-lists", id: "pair-list" },
    lists
      .filter(({ list }) => list.length)
      .map(({ title, list }) => h("div", {}, h("h2", {}, title), table(list, most))),
    all.some(({ times }) => times > 1)
      ? h("p", { class: "soft" }, "Words that occur more than once are added up.")
      : null,
  );
}

/** @param {Pair[]} list @param {number} most the largest part, as long as a bar can be */
function table(list, most) {
  const row = (/** @type {Pair} */ { words, part }) =>
    h(
      "tr",
      {},
      words.map((word) => h("td", { dir: "auto" }, named(short(word)))),
      h("td", { class: "n" }, number(part, 3, true)),
      h(
        "td",
        { class: "share" },
        h("i", { class: part < 0 ? "against" : "for", style: { "--w": (Math.abs(part) / most).toFixed(3) } }),
      ),
    );
  const heads = h(
    "tr",
    {},
    ["in the first", "in the second", "adds"].map((name, i) =>
      h("th", { scope: "col", class: i === 2 ? "n" : null }, name),
    ),
    h("td"),
  );
  return h("table", {}, h("thead", {}, heads), h("tbody", {}, list.map(row)));
}
