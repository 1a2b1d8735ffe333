// One hit: its score, its text with the words that made it a hit, its columns.

import { h, number } from "../../lib/dom.js";
import { named, shade } from "../../lib/heat.js";
import { short } from "../../lib/truncate.js";
import { toHash } from "../../lib/state.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {{start: number, end: number, adds: number, shade: number, literal: boolean}} Mark  a word that made the text a hit */

const [LONGEST, BEFORE] = [500, 150]; // characters shown of a text, and of those the ones before its strongest word
const CELL = 80; // characters of a column
const CLEAR = 0.05; // of the strongest match: words that add less are not marked
const MATCHES = 8; // words of the query in the text that are listed

/** @type {Record<string, string>} */
const SCORES = {
  words: "share of the query's words that are in the text, by how rare they are",
  meaning: "similarity: 1 is the same direction",
  both: "the sum of a part of words and a part of meaning",
};

/** @param {import("../../lib/types.js").Hit} hit @param {{app: App, query: string, model: string, by: string}} about */
export function hitView(hit, { app, query, model, by }) {
  const marks = marksOf(hit.text, hit.words ?? [], hit.matches ?? []);
  const text = h("div", { class: "text", dir: "auto" });
  const draw = (/** @type {boolean} */ whole) => text.replaceChildren(...excerpt(hit.text, marks, whole));
  const more =
    hit.text.length > LONGEST
      ? h("button", { type: "button", class: "quiet", "aria-expanded": "false", onclick: () => toggle() }, "Show all")
      : null;
  const toggle = () => {
    if (!more) return;
    const open = more.getAttribute("aria-expanded") !== "true";
    more.setAttribute("aria-expanded", String(open));
    more.textContent = open ? "Show less" : "Show all";
    draw(open);
  };
  draw(false);
  const columns = Object.entries(hit.columns ?? {}).filter(([, value]) => value !== null);
  const pairs = (hit.words ?? [])
    .slice(0, 3)
    .map((pair) =>
      h(
        "span",
        {},
        h("bdi", {}, named(short(pair.query))),
        " with ",
        h("bdi", {}, named(short(pair.text))),
        ` ${number(pair.adds, 3, true)}`,
      ),
    );
  return h(
    "li",
    { class: "card hit" },
    h(
      "div",
      { class: "head" },
      h("b", { class: "n", "data-n": SCORES[by] ?? SCORES.both }, number(hit.score)),
      bar(hit),
      by === "both" ? h("span", { class: "soft parts" }, ...sum(hit)) : null,
      h(
        "span",
        { class: "end row" },
        h("span", { class: "soft id" }, "id ", h("bdi", {}, short(String(hit.id), 40))),
        more,
        compare(app, { first: query, second: hit.text, model }),
      ),
    ),
    hit.passage ? h("p", { class: "soft passage" }, `Passage ${hit.passage.number} of ${hit.passage.of}`) : null,
    text,
    columns.length
      ? h(
          "dl",
          { class: "columns" },
          columns.map(([name, value]) =>
            h("div", {}, h("dt", {}, short(name, 40)), h("dd", { dir: "auto" }, short(String(value), CELL))),
          ),
        )
      : null,
    hit.matches?.length ? h("p", { class: "pairs soft" }, h("span", {}, "In the text:"), matchList(hit.matches)) : null,
    pairs.length ? h("p", { class: "pairs soft" }, h("span", {}, "Similar by:"), pairs) : null,
  );
}

/** The two parts of a score; as they are shown they add up. @param {import("../../lib/types.js").Hit} hit */
function sum(hit) {
  const words = Number(hit.by_words.toFixed(3));
  const meaning = Number(hit.score.toFixed(3)) - words;
  return [
    "= ",
    h("i", { class: "key words", "aria-hidden": "true" }),
    `${number(words)} words ${meaning < 0 ? "−" : "+"} `,
    h("i", { class: "key", "aria-hidden": "true" }),
    `${number(Math.abs(meaning))} meaning`,
  ];
}

/** @param {import("../../lib/types.js").WordMatch[]} matches */
const matchList = (matches) =>
  matches
    .slice(0, MATCHES)
    .map((match) => h("span", {}, h("bdi", {}, named(short(match.words[0]))), ` ${number(match.adds, 3, true)}`))
    .concat(matches.length > MATCHES ? [h("span", {}, `and ${matches.length - MATCHES} more`)] : []);

/** @param {import("../../lib/types.js").Hit} hit */
function bar(hit) {
  const width = (/** @type {number} */ part) => Math.min(1, Math.max(0, part)).toFixed(3);
  return h(
    "span",
    { class: "score-bar", "aria-hidden": "true" },
    h("i", { class: "words", style: { "--w": width(hit.by_words) } }),
    h("i", { style: { "--w": width(hit.by_meaning) } }),
  );
}

/** A link to Compare with the query and this text. @param {App} app @param {{model: string, first: string, second: string}} values */
function compare(app, { model, ...texts }) {
  const able = app.models.filter(({ does }) => does.includes("similarity"));
  if (!able.length) return null;
  const values = able.some(({ id }) => id === model) ? { ...texts, model } : texts;
  const open = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // in another window
    event.preventDefault();
    app.state.go("compare", values);
  };
  return h(
    "a",
    {
      href: toHash("compare", values),
      class: "compare-link",
      onclick: open,
      "aria-label": `Compare the query with “${short(texts.second, 40)}”`,
    },
    "Compare word by word",
  );
}

/**
 * Where the words are that made the text a hit, and how dark each is. Words of the query are underlined.
 * @param {string} text @param {{text: string, adds: number}[]} pairs @param {import("../../lib/types.js").WordMatch[]} matches
 * @returns {Mark[]}
 */
export function marksOf(text, pairs, matches = []) {
  /** @type {Map<string, number>} */
  const adds = new Map();
  for (const pair of pairs) adds.set(pair.text.toLowerCase(), (adds.get(pair.text.toLowerCase()) ?? 0) + pair.adds);
  const words = [...adds.keys()].filter((word) => word.trim());
  const similar = words.flatMap((word) =>
    stands(text, word).map(([start, end]) => ({ start, end, adds: adds.get(word) ?? 0, literal: false })),
  );
  const literal = literals(text, matches);
  const most = Math.max(...similar.map((mark) => mark.adds), 1e-12);
  let last = 0;
  return [...literal, ...similar.filter((mark) => !literal.some((own) => mark.start < own.end && own.start < mark.end))]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((mark) => mark.start >= last && ((last = mark.end), true))
    .map((mark) => ({ ...mark, shade: shadeOf(mark, similar, most) }));
}

/** How dark a word is: by what the words in its place add to the part of meaning. @param {{start: number, end: number}} mark @param {{start: number, end: number, adds: number}[]} similar @param {number} most */
function shadeOf(mark, similar, most) {
  const under = similar.filter((each) => each.start < mark.end && mark.start < each.end).map(({ adds }) => adds);
  return under.length ? 0.15 + (0.85 * Math.max(...under)) / most : 0;
}

/** The words of the query in the text; spans are in code points, positions in a string in UTF-16. @param {string} text @param {import("../../lib/types.js").WordMatch[]} matches */
function literals(text, matches) {
  const at = [0];
  for (const point of text) at.push(at[at.length - 1] + point.length);
  const least = CLEAR * Math.max(...matches.map(({ adds }) => adds));
  const clear = matches.filter(({ adds }) => adds >= least);
  return clear.flatMap(({ spans, adds }) =>
    spans.map(([start, end]) => ({ start: at[start], end: at[end], adds, literal: true })),
  );
}

/** Where a word stands: as a word, or, in writing without spaces, anywhere. @param {string} text @param {string} word */
function stands(text, word) {
  const plain = word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const places = (/** @type {string} */ pattern) =>
    [...text.matchAll(new RegExp(pattern, "giu"))].map((match) => [match.index, match.index + match[0].length]);
  const whole = places(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`);
  return whole.length ? whole : places(plain);
}

/** The text, or the part of it around its strongest word. @param {string} text @param {Mark[]} marks @param {boolean} whole */
function excerpt(text, marks, whole) {
  const most = Math.max(0, ...marks.map(({ adds }) => adds));
  const strongest = marks.find(({ adds }) => adds > 0 && adds === most)?.start ?? 0;
  const start = whole ? 0 : edge(text, Math.max(0, Math.min(strongest - BEFORE, text.length - LONGEST)));
  const end = whole ? text.length : edge(text, Math.min(text.length, start + LONGEST));
  /** @type {(Node|string)[]} */
  const shown = start ? ["…"] : [];
  let at = start;
  for (const mark of marks.filter((each) => each.start >= start && each.end <= end)) {
    shown.push(
      text.slice(at, mark.start),
      shade(
        h(
          "mark",
          { class: mark.literal ? "w literal" : "w", "data-n": number(mark.adds, 3, true) },
          text.slice(mark.start, mark.end),
        ),
        mark.shade,
        true,
      ),
    );
    at = mark.end;
  }
  return [...shown, text.slice(at, end), end < text.length ? "…" : ""];
}

/** Never between the two halves of a character. @param {string} text @param {number} at */
const edge = (text, at) => (at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at]) ? at - 1 : at);
