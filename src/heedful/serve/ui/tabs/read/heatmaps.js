// The heatmaps of one text: contributions, attention beside them, leave-one-out as a check; and the words that matter most.

import { fill, h, number } from "../../lib/dom.js";
import { heatText, keepFocus, legend, named, shade, topWords } from "../../lib/heat.js";

const TOP = 6;
const LONG = 150; // words: longer texts scroll in their own box
const KEYS = "Arrow keys move, Enter removes a word or puts it back.";

/**
 * What each word adds to the score of a label.
 * @typedef {object} Contributions
 * @property {string} name
 * @property {string} about
 * @property {[string, string]} ends of the scale of colours
 * @property {string} aside
 * @property {(number|null)[]} values
 * @property {(number|null)[]} shades
 */

/**
 * @typedef {object} Seen
 * @property {string} text
 * @property {import("../../lib/heat.js").Word[]} words
 * @property {Contributions|null} contributions  null if the score is not a sum over words
 * @property {(number|null)[]} weights
 * @property {(number|null)[]} shades of the weights
 * @property {string} account what the weights are
 * @property {boolean} isChecked  whether leave-one-out is wanted
 * @property {(number|null)[]|null} effects  null until they are known
 * @property {(number|null)[]} effectShades
 * @property {string} aside a remark on the effects
 * @property {string} target
 * @property {boolean} isNumber
 * @property {number} readTo
 * @property {string} unread  what stands for the rest
 * @property {Set<number>} removed
 * @property {((i: number) => void)|null} press
 * @property {string} unit  what a word is called
 * @property {Node|string|null} wait  what stands in place of effects that are not known
 */

/** @param {HTMLElement} root @param {Seen} seen */
export function drawMaps(root, seen) {
  const { contributions } = seen;
  const maps = [
    contributions ? contributionMap(seen, contributions) : null,
    attention(seen),
    seen.isChecked ? effects(seen) : null,
  ];
  keepFocus(root, () => fill(root, maps));
}

/** @param {Seen} seen */
const numberDigits = (seen) => 3 + Number(seen.words.length > 100);

/** @param {Seen} seen @param {Contributions} contributions */
function contributionMap(seen, { name, about, ends, aside, values, shades }) {
  const digits = numberDigits(seen);
  const map = heatText({
    ...common(seen),
    shades: shades.map((shade) => shade ?? 0),
    signed: true,
    tip: (i) => tipOf(seen, i, number(values[i], digits, true)),
    main: true,
  });
  map.id = "heatmap";
  const title = [`${name} for `, h("em", { dir: "auto" }, seen.target)];
  const below = aside ? h("p", { class: "soft" }, aside) : null;
  return figure(seen, map, title, about, legend(ends[0], ends[1], true), below, `Words by contribution. ${KEYS}`);
}

/** @param {Seen} seen */
function attention(seen) {
  const isMain = !seen.contributions;
  const digits = numberDigits(seen);
  const map = heatText({
    ...common(seen),
    shades: seen.shades.map((shade) => shade ?? 0),
    tip: (i) => tipOf(seen, i, number(seen.weights[i], digits)),
    main: isMain,
  });
  map.id = isMain ? "heatmap" : "attention";
  const below = isMain ? tops(seen, seen.weights, false) : null;
  return figure(seen, map, "Attention", seen.account, legend("less", "more"), below, `Words by attention. ${KEYS}`);
}

/** @param {Seen} seen */
function effects(seen) {
  const known = seen.effects ?? seen.words.map(() => null);
  const map = heatText({
    ...common(seen),
    shades: seen.effectShades.map((shade) => shade ?? 0),
    signed: true,
    tip: seen.effects ? (i) => tipOf(seen, i, number(known[i], 3, true)) : undefined,
  });
  map.id = "effects";
  const about = seen.isNumber
    ? `how much lower the number is without this ${seen.unit}`
    : ["how much less probable ", h("b", { dir: "auto" }, seen.target), ` is without this ${seen.unit}`];
  const ends = seen.isNumber ? ["lower", "higher"] : ["against", "for"];
  const below = seen.effects
    ? [seen.aside ? h("p", { class: "soft" }, seen.aside) : null, tops(seen, known, true)]
    : h("div", { class: "soft wait" }, seen.wait);
  return figure(seen, map, "Leave-one-out", about, legend(ends[0], ends[1], true), below, `Words by effect. ${KEYS}`);
}

/** @param {Seen} seen @param {number} i @param {string} text */
const tipOf = (seen, i, text) => (seen.removed.has(i) ? "removed: press to put it back" : text);

/** @param {Seen} seen */
const common = (seen) => ({
  text: seen.text,
  words: seen.words,
  readTo: seen.readTo,
  unread: seen.unread,
  removed: seen.removed,
  press: seen.press ?? undefined,
  label: (/** @type {number} */ i) => spoken(seen, i),
});

/** @param {Seen} seen @param {number} i */
function spoken(seen, i) {
  const word = seen.words[i].text;
  if (seen.removed.has(i)) return `${word}, removed`;
  const digits = numberDigits(seen);
  const contribution = seen.contributions ? `, contribution ${number(seen.contributions.values[i], digits, true)}` : "";
  const effect = seen.effects ? `, effect ${number(seen.effects[i], 3, true)}` : "";
  return `${word}${contribution}, weight ${number(seen.weights[i], digits)}${effect}`;
}

/** @param {Seen} seen @param {HTMLElement} map @param {string|any[]} name @param {string|any[]} about @param {Node} key @param {Node|any[]|null} below @param {string} keys what a screen reader says of the words */
function figure(seen, map, name, about, key, below, keys) {
  if (seen.press) map.setAttribute("aria-label", keys);
  if (seen.words.length > LONG || seen.text.length > 2000) {
    map.classList.add("tall");
    if (!seen.words.length || !seen.press) map.tabIndex = 0;
  }
  return h(
    "figure",
    { class: "map" },
    h("figcaption", {}, h("b", {}, name), key, h("span", { class: "soft about" }, about)),
    map,
    below,
  );
}

/** The largest, each with its number and a bar. @param {Seen} seen @param {(number|null)[]} values @param {boolean} isSigned */
function tops(seen, values, isSigned) {
  const top = topWords(seen.words, values, TOP, seen.unit === "word");
  const size = (/** @type {number} */ i) => Math.abs(values[i] ?? 0);
  const most = top.length ? size(top[0].at) : 1;
  const item = (/** @type {{at: number, times: number}} */ { at, times }) => {
    const bar = shade(
      h("i", { class: "fillbar", style: { width: `${(size(at) / most) * 100}%` } }),
      Math.sign(values[at] ?? 0),
      isSigned,
    );
    const often = times > 1 ? h("span", { class: "soft" }, ` × ${times}`) : null;
    return h(
      "li",
      { data: { at: String(at) } },
      h("span", { class: "name" }, h("bdi", {}, named(seen.words[at].text)), often),
      h("span", { class: "track", "aria-hidden": "true" }, bar),
      h("span", { class: "figure" }, number(values[at], 3, isSigned)),
    );
  };
  return h(
    "ol",
    { class: "tops", "aria-label": isSigned ? "Words with the largest effect" : "Words with the most weight" },
    top.map(item),
  );
}
