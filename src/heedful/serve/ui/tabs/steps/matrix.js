// Where each word looks: every layer and head small, the chosen one large, with the row of the word that is followed.

import { fill, focusedKey, focusKey, h, number } from "../../lib/dom.js";
import { legend, shade } from "../../lib/heat.js";
import { matrixSaves } from "../../lib/matrix_svg.js";
import { roveGrid } from "../../lib/arrow_keys.js";
import { quoted, short } from "../../lib/truncate.js";
import { shownOf, topOf } from "./numbers.js";
import { block } from "../../lib/vector_strip.js";

const [MOST, ROOMY] = [32, 14]; // words in the matrix, and columns that have room for numbers
const [SMALLEST, SMALL] = [24, 84]; // px of a small matrix
const NARROW = 480; // px: names of layers stand above their heads

/** @typedef {import("../../lib/types.js").Steps} Steps */
/** @typedef {{word: number, layer: number, head: number}} At  counted from 0 */
/** @typedef {{chooseHead: (layer: number, head: number) => void, chooseWord: (word: number) => void}} Listener */
/** @typedef {(layer: number, head: number) => number[][]} Weights  of the words that are shown */

/** @param {Listener} on */
export function makeMatrix(on) {
  const node = h("section", { class: "card looks", "aria-label": "Where each word looks" });
  const [about, notes] = [h("p", { class: "soft" }), h("div")];
  let drawn = ""; // what is drawn: when another word is followed, only marks change
  /** @type {((row: number) => void)[]} */
  let marks = [];

  /** @param {Steps} data @param {At} at @param {number[]} shown */
  function draw(data, at, shown) {
    /** @type {Weights} */
    const weights = (layer, head) => shown.map((i) => shown.map((j) => data.looks[layer][head][i][j]));
    const title = `layer ${at.layer + 1}, head ${at.head + 1}`;
    const words = shown.map((i) => data.words[i].text);
    const own = weights(at.layer, at.head);
    const most = darkest(data, at.layer, at.head);
    const small = smalls(data, at, weights, node.clientWidth || innerWidth, on);
    const big = large({ words, positions: shown, weights: own, most, title }, on);
    const picture = () => ({
      title: `${data.model}, ${title}: where each word looks`,
      rows: words,
      columns: words,
      numbers: own,
      shades: own.map((row) => row.map((w) => w / most)),
      marked: shown.indexOf(Number(node.dataset.word)),
    });
    marks = [...small.marks, big.mark];
    fill(
      node,
      h("div", { class: "head" }, h("h2", {}, "Where each word looks"), legend("less", "more")),
      small.box,
      h("h3", {}, title[0].toUpperCase() + title.slice(1)),
      about,
      big.box,
      matrixSaves("attention", picture),
      notes,
    );
  }

  return {
    node,
    /** @param {Steps} data @param {At} at @param {boolean} isFollowed whether `data` follows this word */
    show(data, at, isFollowed) {
      const key = focusedKey(node);
      const shown = shownOf(data.looks[at.layer][at.head][at.word], at.word, MOST);
      const now = JSON.stringify([data.model, data.text, at.layer, at.head, shown]);
      if (now !== drawn) draw(data, at, shown);
      drawn = now;
      node.dataset.word = String(at.word);
      marks.forEach((mark) => mark(shown.indexOf(at.word)));
      fill(
        about,
        `Each row is a word that looks, each column one that is looked at; a row sums to 1. ` +
          `${lookedAt(data, at)}${shown.length < data.words.length ? ` Shown are ${shown.length} of ${data.words.length} words.` : ""}`,
      );
      if (isFollowed)
        fill(
          notes,
          data.view.honest.map((text) => h("p", { class: "soft" }, text)),
        );
      focusKey(node, key);
    },
  };
}

/** The weight that is darkest in a matrix. @param {Steps} data @param {number} layer @param {number} head */
const darkest = ({ view }, layer, head) => Math.max(...view.darkest[layer][head]);

/** @param {Steps} data @param {At} at */
function lookedAt(data, { word, layer, head }) {
  const row = data.looks[layer][head][word];
  const most = topOf(row, 2).map((i) => `${quoted(data.words[i].text, 16)} (${number(row[i], 2)})`);
  return `Here ${quoted(data.words[word].text, 16)} looks most at ${most.join(" and ")}.`;
}

/**
 * A button for each layer and head, with its matrix.
 * @param {Steps} data @param {At} at @param {Weights} weights @param {number} room in px @param {Listener} on
 */
function smalls(data, at, weights, room, on) {
  const free = room < NARROW ? room - 60 : room - 100; // what the names of the layers and the edges leave
  const fit = Math.max(SMALLEST, Math.min(SMALL, free / data.looks[0].length - 18));
  const side = Math.max(1, Math.floor(fit / weights(0, 0).length));
  /** @type {((row: number) => void)[]} */
  const marks = [];
  const button = (/** @type {number} */ i, /** @type {number} */ j) => {
    const rows = weights(i, j);
    const most = darkest(data, i, j);
    const matrix = block(
      rows.map((row) => row.map((w) => w / most)),
      { wide: side, high: side },
    );
    marks.push(matrix.mark);
    return h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-pressed": String(i === at.layer && j === at.head),
        "aria-label": `layer ${i + 1}, head ${j + 1}`,
        data: { key: `head-${i}-${j}`, n: `layer ${i + 1}, head ${j + 1}` },
        onclick: () => on.chooseHead(i, j),
      },
      matrix.el,
    );
  };
  const buttons = data.looks.map((layer, i) => layer.map((_, j) => button(i, j)));
  const rows = buttons.map((row, i) =>
    h("div", { class: "smalls-row" }, h("span", { class: "soft" }, `layer ${i + 1}`), row),
  );
  const box = h("div", { class: "smalls", role: "group", "aria-label": "Every layer and head: arrow keys move" }, rows);
  roveGrid(box, buttons, [at.layer, at.head]);
  return { box: h("div", { class: "scroll wide" }, box), marks };
}

/**
 * The chosen matrix; a word at the head of a row can be pressed.
 * @param {{words: string[], positions: number[], weights: number[][], most: number, title: string}} about @param {Listener} on
 */
function large({ words, positions, weights, most, title }, on) {
  const tight = words.length > ROOMY;
  const names = words.map((word) => short(word, 16) || "�");
  const cells = weights.map((row, i) =>
    row.map((w, j) =>
      shade(
        h("td", { class: "c", "data-n": `${names[i]} → ${names[j]}: ${number(w)}` }, h("b", {}, number(w, 2))),
        w / most,
      ),
    ),
  );
  const buttons = names.map((name, i) =>
    h(
      "button",
      { type: "button", class: "word", data: { key: `row-${i}` }, onclick: () => on.chooseWord(positions[i]) },
      name,
    ),
  );
  const rows = cells.map((row, i) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, buttons[i]), row));
  const heads = names.map((name) => h("th", { scope: "col", dir: "auto" }, h("span", {}, name)));
  const table = h(
    "table",
    {
      class: `cells upright${tight ? " tight" : ""}`,
      role: "grid",
      "aria-label": `Where each word looks, ${title}; arrow keys move`,
      style: { "--n": words.length },
    },
    h("thead", {}, h("tr", {}, h("td"), heads)),
    h("tbody", {}, rows),
  );
  roveGrid(
    table,
    cells.map((row, i) => [buttons[i], ...row]),
  );
  return {
    box: h(
      "div",
      {
        class: "scroll",
        id: "steps-matrix",
        tabindex: "0",
        role: "region",
        "aria-label": `Where each word looks, ${title}`,
      },
      table,
    ),
    /** @param {number} at */
    mark(at) {
      rows.forEach((row, i) => row.classList.toggle("followed", i === at));
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === at)));
    },
  };
}
