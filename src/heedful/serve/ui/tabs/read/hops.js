// Each hop on its own: a row for every one, and those chosen side by side.

import { chooser, count, fill, h, number } from "../../lib/dom.js";
import { matrixSaves } from "../../lib/matrix_svg.js";
import { hasLetter, heatText, legend, named, strip, topWords } from "../../lib/heat.js";

const WORDS_IN_ROW = 45; // longer texts are strips
const TOP = 3;
const IN_PICTURE = 40; // words of a picture that is saved

/**
 * @typedef {object} Hops
 * @property {string} text
 * @property {import("../../lib/heat.js").Word[]} words
 * @property {(number|null)[][]} hops  a weight for each word, in each hop
 * @property {(number|null)[][]} hopShades
 * @property {(number|null)[]|null} effects  what each hop adds
 * @property {string} account  how to read that
 * @property {number} readTo
 * @property {string} unread
 * @property {Set<number>} removed
 * @property {string} unit  what a word is called
 */

const ORDERS = { number: "number", adds: "what they add", focus: "fewest words" };

/** How many words a hop reads: one for all its weight on one word, all for even weights. @param {(number|null)[]} weights */
export const wordsRead = (weights) =>
  Math.exp(weights.reduce((/** @type {number} */ sum, w) => (w ? sum - w * Math.log(w) : sum), 0));

/** @param {Hops} shown @param {string} by */
function inOrder(shown, by) {
  const numbers = shown.hops.map((_, i) => i);
  /** @type {Record<string, (i: number) => number>} */
  const keys = { adds: (i) => -(shown.effects?.[i] ?? 0), focus: (i) => wordsRead(shown.hops[i]) };
  const key = keys[by];
  return key ? numbers.sort((a, b) => key(a) - key(b) || a - b) : numbers;
}

/**
 * @param {HTMLElement} root
 * @param {import("../../lib/state.js").TabState} own the state of the tab
 */
export function hopsCard(root, own) {
  const sort = h("span", {});
  const about = h("p", { class: "soft" });
  const large = h("div", { class: "maps" });
  const list = h("ol", { class: "hops" });
  root.append(
    h(
      "div",
      { class: "head" },
      h("h2", {}, "Hops"),
      h(
        "div",
        { class: "end row" },
        sort,
        matrixSaves("heedful-hops", () => pictureOf(shown, own.numbers("hops")), "the hops"),
      ),
    ),
    about,
    large,
    list,
  );
  /** @type {Hops} */
  let shown; // set by the first `draw`, before anything can be pressed

  /** @param {number} hop @param {boolean} isChosen */
  function choose(hop, isChosen) {
    const chosen = own.numbers("hops").filter((n) => n !== hop);
    if (isChosen) chosen.push(hop);
    own.set({ hops: chosen.join(",") }, { push: true });
    drawLarge();
  }

  function drawLarge() {
    const chosen = own.numbers("hops").filter((n) => n >= 1 && n <= shown.hops.length);
    fill(
      large,
      chosen.map((n) => oneLarge(shown, n - 1)),
    );
    large.hidden = !chosen.length;
  }

  function drawList() {
    const chosen = new Set(own.numbers("hops"));
    const order = inOrder(shown, own.get("sort", "number"));
    fill(
      list,
      order.map((i) => row(shown, i, chosen.has(i + 1), choose)),
    );
  }

  function drawSort() {
    const options = Object.entries(ORDERS).filter(([by]) => by !== "adds" || shown.effects);
    const by = own.get("sort", "number");
    const value = options.some(([each]) => each === by) ? by : "number";
    const select = sort.querySelector("select");
    if (select?.options.length === options.length) return void (select.value = value);
    const onchange = (/** @type {string} */ to) => (
      own.set({ sort: to === "number" ? "" : to }, { push: true }),
      drawList()
    );
    fill(sort, chooser({ id: "hop-sort", label: "Sort by", options, value, onchange }));
  }

  return {
    /** @param {Hops} what */
    draw(what) {
      shown = what;
      root.hidden = what.hops.length < 2;
      if (root.hidden) return;
      const adds = what.effects ? ` ${what.account}` : "";
      fill(
        about,
        `The model attends to the text ${what.hops.length} times, each time in its own way. Each is a hop, and the attention above is their mean. Tick some to see them large, side by side.${adds}`,
      );
      drawSort();
      drawLarge();
      drawList();
    },
  };
}

/** @param {Hops} shown @param {number} i */
const shadesOf = (shown, i) => shown.hopShades[i].map((shade) => shade ?? 0);
/** @param {string} text */
const isRightToLeft = (text) => /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufefc]/u.test(text);

/** @param {Hops} shown @param {number} i @param {boolean} isChosen @param {(hop: number, isChosen: boolean) => void} choose */
function row(shown, i, isChosen, choose) {
  const shades = shadesOf(shown, i);
  const small = shown.words.length <= WORDS_IN_ROW;
  const look = small ? heatText(heatOf(shown, i, shades)) : strip(shades, isRightToLeft(shown.text));
  if (small) look.classList.add("small");
  const box = h("input", {
    type: "checkbox",
    checked: isChosen,
    onchange: () => choose(i + 1, box.checked),
  });
  return h(
    "li",
    { data: { hop: String(i + 1) } },
    h("label", { class: "pick" }, box, ` Hop ${i + 1}`),
    h("div", { class: "look" }, look, h("p", { class: "soft" }, facts(shown, i))),
  );
}

/** @param {Hops} shown @param {number} i */
function facts(shown, i) {
  const weights = shown.hops[i].map((w) => w ?? 0);
  const adds = shown.effects?.[i];
  const read = wordsRead(weights);
  const top = topWords(shown.words, weights, TOP, shown.unit === "word").map(({ at }, n) => [
    n ? ", " : "",
    h("bdi", {}, named(shown.words[at].text)),
    ` ${number(weights[at], 2)}`,
  ]);
  const left = shown.words.filter((_, at) => !shown.removed.has(at));
  const marks = left.some(({ text }) => !hasLetter(text)) && shown.unit === "word" ? " and marks" : "";
  return [
    adds === null || adds === undefined
      ? null
      : h("span", { class: "fact" }, "adds ", h("b", { class: "figure" }, number(adds, 3, true))),
    h(
      "span",
      { class: "fact" },
      `reads about ${number(read, read < 10 ? 1 : 0)} of ${count(left.length, shown.unit)}${marks}, most: `,
      top,
    ),
  ];
}

/** @param {Hops} shown @param {number} i */
function oneLarge(shown, i) {
  const map = heatText(heatOf(shown, i, shadesOf(shown, i)));
  if (shown.words.length > 150) map.classList.add("tall");
  if (map.classList.contains("tall"))
    [
      map.setAttribute("tabindex", "0"),
      map.setAttribute("role", "group"),
      map.setAttribute("aria-label", `Hop ${i + 1}`),
    ];
  return h(
    "figure",
    { class: "map" },
    h("figcaption", {}, h("b", {}, `Hop ${i + 1}`), legend("less", "more")),
    map,
    h("p", { class: "soft" }, facts(shown, i)),
  );
}

/** What is saved: the hops chosen, or all, by the words with most weight in any of them. @param {Hops} shown @param {number[]} chosen */
function pictureOf(shown, chosen) {
  const all = shown.hops.map((_, i) => i);
  const hops = chosen.length ? all.filter((i) => chosen.includes(i + 1)) : all;
  const most = (/** @type {number} */ at) => Math.max(...hops.map((i) => shown.hops[i][at] ?? 0));
  const left = shown.words.map((_, at) => at).filter((at) => !shown.removed.has(at));
  const places = left
    .sort((a, b) => most(b) - most(a))
    .slice(0, IN_PICTURE)
    .sort((a, b) => a - b);
  const pick = (/** @type {(number|null)[]} */ values) => places.map((at) => values[at] ?? 0);
  return {
    title: `What each hop reads${left.length > places.length ? `: ${places.length} of ${left.length} words` : ""}`,
    rows: hops.map((i) => `Hop ${i + 1}`),
    columns: places.map((at) => shown.words[at].text),
    numbers: hops.map((i) => pick(shown.hops[i])),
    shades: hops.map((i) => pick(shadesOf(shown, i))),
  };
}

/** @param {Hops} shown @param {number} i @param {number[]} shades */
const heatOf = (shown, i, shades) => ({
  text: shown.text,
  words: shown.words,
  shades,
  readTo: shown.readTo,
  unread: shown.unread,
  removed: shown.removed,
  tip: (/** @type {number} */ at) => number(shown.hops[i][at], 3),
});
