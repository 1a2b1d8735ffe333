// What drives each label: the words for and against it over many texts, and possible shortcuts.

import { chooser, fill, h } from "../../lib/dom.js";
import { named, shade } from "../../lib/heat.js";

/** @typedef {import("../../lib/types.js").LabelWords} LabelWords */
/** @typedef {import("../../lib/types.js").WordsOfLabel} WordsOfLabel */
/** @typedef {import("../../lib/types.js").LabelWord} LabelWord */
/** @typedef {import("../../lib/types.js").Side} Side */

const MOST = 6; // labels that are drawn at once: of more, one is chosen
const FIRST = 5; // words for and against a label that are seen at once
/** @type {Side[]} */
const SIDES = ["supporting", "opposing"];

/** @param {LabelWords|null} words */
export function wordsCard(words) {
  if (!words) return null;
  const { labels } = words;
  const isLong = labels.length > MOST;
  const body = h("div", { class: "driven" }, (isLong ? labels.slice(0, 1) : labels).map(oneLabel));
  const choice = chooser({
    id: "words-label",
    label: "Label",
    options: labels.map(({ label }, i) => [String(i), label]),
    value: "0",
    onchange: (i) => fill(body, oneLabel(labels[Number(i)])),
  });
  return h(
    "section",
    { class: "card", id: "words" },
    h("div", { class: "head" }, h("h2", {}, words.title), isLong ? h("div", { class: "end" }, choice) : null),
    h("p", { class: "soft" }, words.where, " ", words.account),
    shortcuts(words),
    body,
    words.notes.map((note) => h("p", { class: "soft" }, note)),
  );
}

/** @param {LabelWords} words */
const shortcuts = ({ shortcuts, shortcuts_account }) =>
  shortcuts.length
    ? [
        shortcuts.map(({ sentence }) => h("p", { class: "remark shortcut", dir: "auto" }, sentence)),
        h("p", { class: "soft" }, shortcuts_account),
      ]
    : null;

/** @param {WordsOfLabel} label */
const oneLabel = (label) =>
  h(
    "section",
    { data: { label: label.label } },
    h("h3", {}, h("bdi", {}, label.label), " ", h("span", { class: "soft" }, label.heading)),
    h(
      "div",
      { class: "sides" },
      SIDES.map((side) => oneSide(label.titles[side], label[side])),
    ),
    SIDES.some((side) => label[side].length > FIRST)
      ? h(
          "details",
          {},
          h("summary", {}, "More words"),
          h(
            "div",
            { class: "sides" },
            SIDES.map((side) => listed(label.titles[side], label[side].slice(FIRST))),
          ),
        )
      : null,
  );

/** @param {string} title @param {LabelWord[]} words */
const oneSide = (title, words) =>
  h(
    "div",
    {},
    h("p", { class: "soft side", dir: "auto" }, title),
    words.length ? listed(title, words.slice(0, FIRST)) : h("p", { class: "soft" }, "No word stands out."),
  );

/** @param {string} title @param {LabelWord[]} words */
const listed = (title, words) => h("ol", { class: "tops", "aria-label": title }, words.map(oneWord));

/** @param {LabelWord} word */
function oneWord(word) {
  const bar = h("i", { class: "fillbar", style: { width: `${Math.abs(word.shade) * 100}%` } });
  return h(
    "li",
    { data: { n: word.about } },
    h("span", { class: "name" }, h("bdi", {}, named(word.form))),
    h("span", { class: "track", "aria-hidden": "true" }, shade(bar, word.shade, true)),
    h("span", { class: "figure" }, word.number, h("span", { class: "unseen" }, `, ${word.interval}`)),
  );
}
