// Words as a heatmap: how dark each is, where it stands in the text, and moving among them by keys.

import { h } from "./dom.js";
import { visible } from "./visible.js";

/**
 * @typedef {import("./types.js").Word} Word
 * @typedef {object} Heat
 * @property {string} text
 * @property {Word[]} words
 * @property {ArrayLike<number>} shades  from 0 to 1, or from −1 to 1 for effects
 * @property {boolean} [signed]  effects: two colours
 * @property {number} [readTo]  code points read
 * @property {string} [unread]  what stands for the rest, in grey
 * @property {(i: number) => string} [tip]  the number beside a word
 * @property {(i: number) => string} [label]  what a screen reader says of a word that can be pressed
 * @property {(i: number) => void} [press]  where words can be pressed
 * @property {Set<number>} [removed]  words struck through
 * @property {number} [at]  the word that the Tab key comes to
 * @property {boolean} [main]  words also get data-word
 */

/**
 * The words with the largest numbers: where each stands, and how often it is there. With `once` a word that is there
 * several times is told once, by its largest number.
 * @param {Word[]} words @param {(number|null)[]} values @param {number} n @returns {{at: number, times: number}[]}
 */
export function topWords(words, values, n, once = true) {
  const size = (/** @type {number} */ i) => Math.abs(values[i] ?? 0);
  const found = new Map();
  for (const i of words.map((_, at) => at).sort((a, b) => size(b) - size(a))) {
    if (!Number(size(i).toFixed(3))) continue;
    const name = once ? words[i].text.toLowerCase() : i;
    const seen = found.get(name);
    if (seen) seen.times += 1;
    else found.set(name, { at: i, times: 1 });
  }
  return [...found.values()].slice(0, n);
}

/** Words, and not marks alone, have a letter or a number. @param {string} text */
export const hasLetter = (text) => /[\p{L}\p{N}]/u.test(text);

/** A word in a list of words: a mark alone, such as a point, would be lost without quotes. @param {string} text */
export const named = (text) => (hasLetter(text) ? text : `“${text}”`);

/** From places in code points, which Python counts, to places in a JavaScript string. @param {string} text @returns {(at: number) => number} */
export function places(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (at) => at;
  /** @type {number[]} */
  const starts = [];
  let at = 0;
  for (const point of text) {
    starts.push(at);
    at += point.length;
  }
  return (i) => starts[i] ?? at;
}

/** Colour an element: `.heat`, or `.for` and `.against` where the shade is signed. Cells of a matrix too. @template {HTMLElement} E @param {E} el @param {number} value */
export function shade(el, value, isSigned = false) {
  const size = Math.min(1, Math.abs(value) || 0);
  el.classList.toggle("for", isSigned && value > 0);
  el.classList.toggle("against", isSigned && value < 0);
  el.style.setProperty("--w", size.toFixed(3));
  return el;
}

/** The text itself with shaded words. @param {Heat} heat */
export function heatText(heat) {
  const { text, words, readTo } = heat;
  const place = places(text);
  const box = h("div", { class: "text", dir: "auto", role: heat.press ? "group" : null });
  const parts = document.createDocumentFragment();
  let done = 0;
  words.forEach((word, i) => {
    const [start, end] = [place(word.start), place(word.end)];
    if (start < done || end <= start) return; // words that overlap cannot be drawn as text
    if (start > done) parts.append(visible(text.slice(done, start)));
    parts.append(oneWord(heat, i, text.slice(start, end)));
    done = end;
  });
  const cut = readTo === undefined ? text.length : Math.max(done, place(readTo));
  if (cut > done) parts.append(visible(text.slice(done, cut)));
  if (heat.unread) parts.append(h("span", { class: "unread" }, heat.unread));
  box.append(parts);
  if (heat.press) moveByKeys(box, heat.press);
  return box;
}

/** @param {Heat} heat @param {number} i @param {string} said */
function oneWord(heat, i, said) {
  const gone = heat.removed?.has(i);
  const el = document.createElement("span");
  el.className = gone ? "w gone" : heat.words[i].is_known === false ? "w unknown" : "w";
  el.textContent = visible(said);
  el.dataset.at = String(i);
  if (heat.main) el.dataset.word = String(i);
  if (heat.tip) el.dataset.n = heat.tip(i);
  if (!gone) shade(el, heat.shades[i], heat.signed);
  if (heat.press) {
    el.setAttribute("role", "button");
    el.setAttribute("aria-pressed", String(Boolean(gone)));
    if (heat.label) el.setAttribute("aria-label", visible(heat.label(i)));
    el.tabIndex = i === (heat.at ?? 0) ? 0 : -1;
  }
  return el;
}

/** One tab stop for all words: arrows move, Enter and Space press. @param {HTMLElement} box @param {(i: number) => void} press */
function moveByKeys(box, press) {
  const wordOf = (/** @type {Event} */ event) =>
    /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-at]"));
  box.addEventListener("click", (event) => {
    const el = wordOf(event);
    if (el && !String(getSelection())) press(Number(el.dataset.at));
  });
  box.addEventListener("keydown", (event) => {
    const el = wordOf(event);
    if (!el || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = /** @type {HTMLElement[]} */ ([...box.querySelectorAll("[data-at]")]);
    const onward = getComputedStyle(box).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const isArrow = /^Arrow(Up|Down|Left|Right)$/.test(event.key);
    const step = !isArrow ? 0 : event.key === "ArrowDown" || event.key === onward ? 1 : -1;
    const now = all.indexOf(el);
    const to = step ? all[now + step] : event.key === "Home" ? all[0] : event.key === "End" ? all.at(-1) : null;
    if (event.key === "Enter" || event.key === " ") press(Number(el.dataset.at));
    else if (to) [(el.tabIndex = -1), (to.tabIndex = 0), to.focus()];
    else if (!step) return;
    event.preventDefault();
  });
}

/** Draw again without losing the word that has the focus, in the text of the same id. @param {Element} root @param {() => void} draw */
export function keepFocus(root, draw) {
  const had = document.activeElement;
  const at = root.contains(had) ? had?.getAttribute("data-at") : null;
  const id = had?.closest(".text")?.id;
  draw();
  const box = id && at ? root.querySelector(`#${id}`) : null;
  const el = /** @type {HTMLElement|null} */ (box?.querySelector(`[data-at="${at}"]`) ?? null);
  if (!box || !el) return;
  const others = /** @type {HTMLElement[]} */ ([...box.querySelectorAll('[data-at][tabindex="0"]')]);
  others.forEach((other) => (other.tabIndex = -1));
  el.tabIndex = 0;
  el.focus();
}

/** Many words in little room: a strip with a stripe for each. @param {ArrayLike<number>} shades @param {boolean} toLeft */
export function strip(shades, toLeft = false) {
  const n = shades.length;
  const levels = Array.from(shades, (s) => Math.round(s * 25) * 4);
  const stops = [];
  for (let i = 0; i < n; ) {
    let end = i + 1;
    while (end < n && levels[end] === levels[i]) end += 1;
    stops.push(
      `color-mix(in srgb, var(--heat) ${levels[i]}%, transparent) ${((i / n) * 100).toFixed(2)}% ${((end / n) * 100).toFixed(2)}%`,
    );
    i = end;
  }
  const el = h("span", { class: "strip", "aria-hidden": "true" });
  if (n) el.style.backgroundImage = `linear-gradient(to ${toLeft ? "left" : "right"}, ${stops.join(", ")})`;
  return el;
}

/** The scale of colours. @param {string} from @param {string} to */
export const legend = (from, to, isSigned = false) =>
  h(
    "span",
    { class: "key" },
    from,
    " ",
    h("span", { class: isSigned ? "legend signed" : "legend", "aria-hidden": "true" }),
    " ",
    to,
  );

/** @param {HTMLElement} el */
function markSame(el) {
  const panel = el.closest('[role="tabpanel"]') ?? document;
  const same = (el.dataset.at ?? "").split(",").map((at) => `.w[data-at="${at}"]`); // a bar may stand for several words
  panel.querySelectorAll(same.join()).forEach((other) => other !== el && other.classList.add("same"));
}

/** Show the number of anything with `data-n` when the pointer or the focus is on it, and mark the same word elsewhere in its panel. */
export function showTips() {
  const tip = h("div", { class: "tip", "aria-hidden": "true", hidden: true });
  document.body.append(tip);
  const hide = () => {
    tip.hidden = true;
    document.querySelectorAll(".same").forEach((el) => el.classList.remove("same"));
  };
  const show = (/** @type {Event} */ event) => {
    const target = event.target instanceof Element ? event.target : null;
    const el = /** @type {HTMLElement|null} */ (target?.closest("[data-n], [data-at]") ?? null);
    hide();
    if (!el || (event.type === "focusin" && !el.matches(":focus-visible"))) return;
    if (el.dataset.at) markSame(el);
    if (!el.dataset.n) return;
    tip.textContent = visible(el.dataset.n);
    tip.hidden = false;
    const room = document.documentElement.clientWidth; // without the scrollbar
    const [box, own] = [el.getClientRects()[0] ?? el.getBoundingClientRect(), tip.getBoundingClientRect()];
    const left = Math.min(Math.max(4, box.left + box.width / 2 - own.width / 2), room - own.width - 4);
    const above = box.top - own.height - 3;
    tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(above < 0 ? box.bottom + 3 : above)}px)`;
  };
  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", hide, { passive: true, capture: true });
}
