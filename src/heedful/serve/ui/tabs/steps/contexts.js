// One word in two texts: its two vectors, where they part on their way through the model, and which heads make them differ.

import { h, number } from "../../lib/dom.js";
import { hasLetter, heatText, legend } from "../../lib/heat.js";
import { short } from "../../lib/truncate.js";
import { allNumbers, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

const SIDES = ["first", "second"];

/** @typedef {import("../../lib/types.js").TwoContexts} TwoContexts */
/** @typedef {(side: number, layer: number, head: number) => void} Walk */

/**
 * @param {TwoContexts} result @param {(word: string) => void} choose
 * @param {Walk} walk go through the steps of one head in one text
 */
export function contexts(result, choose, walk) {
  return [
    h(
      "section",
      { class: "card", id: "two-texts" },
      h("h2", {}, `The word ${result.view.word} in both`),
      words(result, choose),
      h("p", {}, h("strong", {}, result.view.verdict)),
      h("p", {}, result.view.beginning, " ", result.view.unknown),
      texts(result),
    ),
    h(
      "div",
      { class: "steps-both" },
      h("section", { class: "card" }, h("h2", {}, "Two vectors"), vectors(result)),
      h("section", { class: "card" }, h("h2", {}, "Where they part"), stages(result)),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Why: what each head looked at"),
      h("p", {}, result.view.reason),
      heads(result, walk),
    ),
  ];
}

/** The words that both texts have, to choose from. @param {TwoContexts} result @param {(word: string) => void} choose */
function words(result, choose) {
  const other = new Set(result.texts[1].tokens.map(({ text }) => text.toLowerCase()));
  const shared = [
    ...new Map(
      result.texts[0].tokens
        .filter(({ text }) => hasLetter(text) && other.has(text.toLowerCase()))
        .map(({ text }) => [text.toLowerCase(), text]),
    ).values(),
  ];
  if (shared.length < 2) return null;
  const chip = (/** @type {string} */ word) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(word.toLowerCase() === result.word.toLowerCase()),
        onclick: () => choose(word),
      },
      short(word),
    );
  return h(
    "div",
    { class: "row", role: "group", "aria-label": "Words that both texts have" },
    h("span", { class: "soft" }, "Both have"),
    shared.slice(0, 12).map(chip),
  );
}

/** @param {TwoContexts} result */
function texts(result) {
  const shown = result.texts.map(({ text, tokens, token }, s) => {
    const { means, shades } = result.view;
    const box = heatText({ text, words: tokens, shades: shades[s], tip: (i) => number(means[s][i]) });
    for (const span of /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".w")])) {
      span.classList.toggle("framed", Number(span.dataset.at) === token);
      delete span.dataset.at; // the same position in the other text is another word
    }
    return h("div", { class: "map" }, h("h3", { class: "soft" }, `In the ${SIDES[s]} text`), box);
  });
  return [
    h("div", { class: "maps" }, shown),
    h(
      "p",
      { class: "soft" },
      `Framed: ${result.view.word}. Shaded: where it looks, the mean over all layers and heads of ${result.model}. `,
      legend("less", "more"),
    ),
  ];
}

/** @param {TwoContexts} result */
function vectors(result) {
  const [first, second] = result.texts.map(({ vector: values }) => values);
  const apart = first.map((x, i) => x - second[i]);
  const size = sizeOf([first, second]);
  const rows = [
    { name: "in the first text", values: first },
    { name: "in the second text", values: second },
    { name: "difference", values: apart },
  ];
  const strips = rows.map(({ name, values }) => [
    h("h3", { class: "soft" }, name),
    vector(values, { size, name, big: true }),
  ]);
  return [
    roveStrips(h("div", { class: "vecs" }, strips)),
    h(
      "p",
      { class: "soft" },
      `${first.length} numbers, after all layers. Blue is more than 0, orange less. Cosine of the two: ${number(result.cosine)}; 1 is ` +
        `the same direction, 0 nothing in common.`,
    ),
    allNumbers("All numbers", rows),
  ];
}

/** @param {TwoContexts} result */
function stages(result) {
  const least = Math.min(...result.stages.map(({ cosine }) => cosine));
  const from = Math.max(0, Math.min(0.9, Math.floor((least - 0.02) * 10) / 10)); // bars begin here, or all look alike
  const rows = result.stages.map(({ name, cosine }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", { class: "n" }, number(cosine)),
      h(
        "td",
        { class: "share" },
        h("i", { class: "for", style: { "--w": Math.max(0, (cosine - from) / (1 - from)).toFixed(3) } }),
      ),
    ),
  );
  return [
    h(
      "p",
      {},
      "How alike the two vectors are on their way through the model. Only attention brings in other words; the connected part works " +
        "on each word by itself.",
    ),
    h(
      "table",
      { class: "list" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          h("th", { scope: "col", class: "n" }, "cosine"),
          h("td", { class: "soft" }, `from ${number(from, 1)} to 1`),
        ),
      ),
      h("tbody", {}, rows),
    ),
  ];
}

/** What a head attends to most. @param {[string, number][]} tops */
const topWords = (tops) => tops.map(([name, share]) => `${name} ${number(share, 2)}`).join(", ");

/** @param {TwoContexts} result @param {Walk} walk */
function heads(result, walk) {
  const most = sizeOf(result.apart);
  const rows = result.apart.flatMap((layer, i) =>
    layer.map((size, j) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, `layer ${i + 1}, head ${j + 1}`),
        SIDES.map((name, s) =>
          h(
            "td",
            {},
            h("bdi", {}, topWords(result.view.tops[s][i][j])),
            " ",
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                "aria-label": `Walk through layer ${i + 1}, head ${j + 1} in the ${name} text`,
                onclick: () => walk(s, i, j),
              },
              "see the steps →",
            ),
          ),
        ),
        h("td", { class: "n" }, number(size, 2)),
        h("td", { class: "share" }, h("i", { style: { "--w": (size / most).toFixed(3) } })),
      ),
    ),
  );
  const titles = ["in the first text, most at", "in the second", "apart"].map((title, i) =>
    h("th", { scope: "col", class: i === 2 ? "n" : null }, title),
  );
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "What each head looked at" },
      h("table", { class: "list" }, h("thead", {}, h("tr", {}, h("td"), titles, h("td"))), h("tbody", {}, rows)),
    ),
    h(
      "p",
      { class: "soft" },
      "Apart: the length of the difference between what the head adds to the word in the one text and in the other.",
    ),
  ];
}
