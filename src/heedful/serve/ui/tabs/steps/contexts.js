// One word in two texts: its two vectors, where they part on their way through the model, and which heads make them differ.

import { h, number } from "../../lib/dom.js";
import { heatText, legend, relative } from "../../lib/heat.js";
import { quoted, short } from "../../lib/truncate.js";
import { topOf } from "./numbers.js";
import { allNumbers, roveStrips, sizeOf, vector } from "../../lib/vector_strip.js";

const [FAR, NEAR] = [0.8, 0.95]; // cosines: below, the two are clearly different; above, nearly the same
const SIDES = ["first", "second"];
const SAME = 1e-9;

/**
 * @param {any} found what the server said of the two texts @param {(word: string) => void} choose
 * @param {(side: number, layer: number, head: number) => void} walk go through the steps of one head in one text
 */
export function contexts(found, choose, walk) {
  return [
    h(
      "section",
      { class: "card", id: "two-texts" },
      h("h2", {}, `The word ${quoted(found.word)} in both`),
      words(found, choose),
      h("p", {}, h("strong", {}, verdict(found))),
      h("p", {}, beginning(found)),
      texts(found),
    ),
    h(
      "div",
      { class: "steps-both" },
      h("section", { class: "card" }, h("h2", {}, "Two vectors"), vectors(found)),
      h("section", { class: "card" }, h("h2", {}, "Where they part"), stages(found)),
    ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, "Why: what each head looked at"),
      h("p", {}, reason(found)),
      heads(found, walk),
    ),
  ];
}

/** How different the two vectors are. @param {any} found */
export function verdict(found) {
  const kind =
    found.cosine < FAR ? "clearly different" : found.cosine > NEAR ? "nearly the same" : "somewhat different";
  const scale =
    found.among_others === null
      ? ""
      : ` For scale: with the other words of its texts it has ` + `${number(found.among_others, 2)} on average.`;
  return `The two vectors of ${quoted(found.word)} after all layers are ${kind}: cosine ${number(found.cosine, 2)}.${scale}`;
}

function beginning(found) {
  if (Math.abs(found.stages[0].cosine - 1) < SAME) {
    return (
      `In both texts ${quoted(found.word)} comes in as the same numbers: the same word in the same place. All that makes the two ` +
      `differ later came from the words around it, through attention.`
    );
  }
  return (
    `${quoted(found.word)} stands in another place of the two texts, or is in other pieces, so the two vectors differ a little ` +
    `before any word is looked at. The rest came from the words around it, through attention.`
  );
}

/** The words that both texts have, to choose from. */
function words(found, choose) {
  const other = new Set(found.texts[1].tokens.map(({ text }) => text.toLowerCase()));
  const shared = [
    ...new Map(
      found.texts[0].tokens
        .filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && other.has(text.toLowerCase()))
        .map(({ text }) => [text.toLowerCase(), text]),
    ).values(),
  ];
  if (shared.length < 2) return null;
  const chip = (word) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "aria-pressed": String(word.toLowerCase() === found.word.toLowerCase()),
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

const meanOf = (looks) => {
  const rows = looks.flat();
  return rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
};

function texts(found) {
  const shown = found.texts.map(({ text, tokens, token, looks }, s) => {
    const mean = meanOf(looks);
    const box = heatText({ text, words: tokens, shades: relative(mean), tip: (i) => number(mean[i]) });
    for (const span of box.querySelectorAll(".w")) {
      span.classList.toggle("framed", Number(span.dataset.at) === token);
      delete span.dataset.at; // the same place in the other text is another word
    }
    return h("div", { class: "map" }, h("h3", { class: "soft" }, `In the ${SIDES[s]} text`), box);
  });
  return [
    h("div", { class: "maps" }, shown),
    h(
      "p",
      { class: "soft" },
      `Framed: ${quoted(found.word)}. Shaded: where it looks, the mean over all layers and heads of ${found.model}. `,
      legend("less", "more"),
    ),
  ];
}

function vectors(found) {
  const [one, two] = found.texts.map(({ vector: values }) => values);
  const apart = one.map((x, i) => x - two[i]);
  const size = sizeOf([one, two]);
  const rows = [
    ["in the first text", one],
    ["in the second text", two],
    ["difference", apart],
  ];
  const strips = rows.map(([name, values]) => [
    h("h3", { class: "soft" }, name),
    vector(values, { size, name, big: true }),
  ]);
  return [
    roveStrips(h("div", { class: "vecs" }, strips)),
    h(
      "p",
      { class: "soft" },
      `${one.length} numbers, after all layers. Blue is more than 0, orange less. Cosine of the two: ${number(found.cosine)}; 1 is ` +
        `the same direction, 0 nothing in common.`,
    ),
    allNumbers(
      "All numbers",
      rows.map(([name, values]) => ({ name, values })),
    ),
  ];
}

function stages(found) {
  const least = Math.min(...found.stages.map(({ cosine }) => cosine));
  const from = Math.max(0, Math.min(0.9, Math.floor((least - 0.02) * 10) / 10)); // bars begin here, or all look alike
  const rows = found.stages.map(({ name, cosine }) =>
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

const lookedAt = ({ looks, tokens }, layer, head, say) =>
  topOf(looks[layer][head], 2).map((i) => say(short(tokens[i].text, 16), number(looks[layer][head][i], 2)));

function reason(found) {
  const all = found.apart.flatMap((layer, i) => layer.map((size, j) => ({ i, j, size })));
  const { i, j } = all.reduce((a, b) => (b.size > a.size ? b : a));
  const [one, two] = found.texts.map((side) =>
    lookedAt(side, i, j, (word, share) => `“${word}” (${share})`).join(" and "),
  );
  return (
    `The head that adds the most different numbers is layer ${i + 1}, head ${j + 1}. In the first text it looks most at ${one}, ` +
    `in the second at ${two}.`
  );
}

function heads(found, walk) {
  const most = sizeOf(found.apart);
  const rows = found.apart.flatMap((layer, i) =>
    layer.map((size, j) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, `layer ${i + 1}, head ${j + 1}`),
        found.texts.map((side, s) =>
          h(
            "td",
            {},
            h("bdi", {}, lookedAt(side, i, j, (word, share) => `${word} ${share}`).join(", ")),
            " ",
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                "aria-label": `Walk through layer ${i + 1}, head ${j + 1} in the ${SIDES[s]} text`,
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
  const titles = ["in the first text, most at", "in the second", "apart"].map((said, i) =>
    h("th", { scope: "col", class: i === 2 ? "n" : null }, said),
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
