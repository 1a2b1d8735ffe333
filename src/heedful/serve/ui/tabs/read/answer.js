// What the model answered: a label with probabilities as bars, several labels, or a number; and how it changed.

import { count, fill, h, number, withCode } from "../../lib/dom.js";

const SHOWN = 6; // bars before the rest is folded away
const HALF = 0.5; // with many labels each is a question of its own

/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {{label: string, probabilities?: Record<string, number>, value?: number}} Answer */

/** The labels that are the answer: one, or with many labels those more probable than not. @param {Answer} answer @param {Model} model */
function chosen(answer, model) {
  if (!model.many) return [answer.label];
  return sorted(answer)
    .filter(([, p]) => p > HALF)
    .map(([label]) => label);
}

/** @param {Answer} answer @returns {[string, number][]} */
const sorted = (answer) => Object.entries(answer.probabilities ?? {}).sort((a, b) => b[1] - a[1]);

/** @param {number|undefined} p */
const digits = (p) => number(p, 2);
/** @param {number} value */
const plain = (value) => number(value, Math.abs(value) < 10 ? 3 : 2);

/** In one line, for a screen reader and the line of changes. @param {Answer} answer @param {Model} model */
export function inWords(answer, model) {
  if (answer.value !== undefined) return `${answer.label} ${plain(answer.value)}`;
  const labels = chosen(answer, model);
  if (!labels.length) return "no label is more probable than not";
  return labels.map((label) => `${label} ${digits(answer.probabilities?.[label])}`).join(", ");
}

/**
 * @param {Answer} answer @param {Model} model @param {Answer|null} before the answer to the whole text, where words were removed
 * @param {{target: string, choose: (label: string) => void, open: boolean}} labels the one that is explained, and how to choose another
 */
export function answerBox(answer, model, before, { target, choose, open }) {
  if (answer.value !== undefined) {
    return [
      h(
        "p",
        { class: "said-answer" },
        h("strong", {}, plain(answer.value)),
        h("span", { class: "soft" }, answer.label),
      ),
    ];
  }
  const labels = chosen(answer, model);
  const title = labels.length
    ? labels.map((label) =>
        h(
          "span",
          { class: "pick" },
          h("strong", { dir: "auto" }, label),
          " ",
          h("span", { class: "figure" }, digits(answer.probabilities?.[label])),
        ),
      )
    : h("strong", {}, "None of the labels");
  const bars = sorted(answer).map(([label, p]) => {
    const pressed = { at: model.labels.indexOf(label), is: label === target };
    const name = model.labels.length < 2 ? label : labelButton(label, pressed, () => choose(label));
    return bar(name, p, labels.includes(label), before?.probabilities?.[label]);
  });
  const rest =
    bars.length > SHOWN
      ? h(
          "details",
          { open },
          h("summary", {}, `${bars.length - SHOWN} more labels`),
          h("ul", { class: "bars" }, bars.slice(SHOWN)),
        )
      : null;
  return [
    h(
      "p",
      { class: "said-answer" },
      title,
      labels.length ? h("span", { class: "soft" }, labels.length > 1 ? "probabilities" : "probability") : null,
      before
        ? h("span", { class: "soft before" }, h("b", { "aria-hidden": "true" }), " before words were removed")
        : null,
    ),
    model.many
      ? h("p", { class: "soft" }, "Each label is predicted on its own: a text may have several, or none.")
      : null,
    h("ul", { class: "bars", "aria-label": "Probabilities" }, bars.slice(0, SHOWN)),
    rest,
  ];
}

/** A label that shows its sum when it is pressed. @param {string} label @param {{at: number, is: boolean}} pressed @param {() => void} choose */
const labelButton = (label, { at, is }, choose) =>
  h(
    "button",
    { type: "button", class: "word", "aria-pressed": String(is), data: { key: `label-${at}` }, onclick: choose },
    label,
  );

/** @param {string|Node} name @param {number} p @param {boolean} isChosen @param {number|undefined} before */
function bar(name, p, isChosen, before) {
  const was =
    before === undefined ? null : h("b", { style: { left: `${before * 100}%` }, title: `was ${digits(before)}` });
  return h(
    "li",
    { class: isChosen ? "chosen" : "" },
    h("span", { class: "name", dir: "auto" }, name),
    h("span", { class: "bar", "aria-hidden": "true" }, h("i", { style: { width: `${p * 100}%` } }), was),
    h("span", { class: "figure" }, digits(p)),
  );
}

/**
 * How the answer changed without some words: good 0.93 → 0.41.
 * @param {Answer} before @param {Answer} after @param {Model} model @param {string[]} words
 */
export function changeInWords(before, after, model, words) {
  const names = words.length > 4 ? [...words.slice(0, 3), `${words.length - 3} more`] : words;
  const without = `Without ${names.map((w, i) => (words.length > 4 && i === 3 ? w : `“${w}”`)).join(", ")}`;
  if (before.value !== undefined)
    return { without, change: `${before.label} ${plain(before.value)} → ${plain(after.value ?? 0)}`, more: "" };
  const change = `${before.label} ${digits(before.probabilities?.[before.label])} → ${digits(after.probabilities?.[before.label])}`;
  const turned = inWords(after, model);
  const more = model.many || before.label === after.label ? "" : `The answer is now ${turned}.`;
  return { without, change, more };
}

/** How reliable the heatmap is. @param {HTMLElement} box @param {{verdict: string, verdict_level: string}} result */
export function fillVerdict(box, { verdict, verdict_level: level }) {
  const calm = level === "better";
  box.className = calm ? "verdict calm" : "verdict";
  box.hidden = !verdict;
  const wasOpen = box.querySelector("details")?.open ?? false; // drawn anew at each key
  fill(
    box,
    h("b", {}, calm ? "How reliable is this heatmap? " : "Treat this heatmap with caution. "),
    withCode(verdict),
    verdict.includes("comprehensiveness") ? meaning(wasOpen) : null,
  );
}

/** The words of a verdict, for those who have not met them. @param {boolean} open */
const meaning = (open) =>
  h(
    "details",
    { open },
    h("summary", {}, "What this means"),
    h(
      "p",
      {},
      "On those texts the words with the largest numbers were removed, and as many at random. ",
      h("b", {}, "Comprehensiveness"),
      " is how much less probable the answer then is: more is better. ",
      h("b", {}, "Sufficiency"),
      " is the same with those words alone: less is better.",
    ),
    h(
      "p",
      {},
      "This holds on average, not for each text. Leave-one-out checks a single text: it measures what attention only suggests.",
    ),
  );

/**
 * What to know before looking: what speaks against the answer, what was cut off, what was left out.
 * @param {{text: string, words: any[], read_to: number}} whole @param {{warning: string|null, notes: string[]}} now @param {Model} model
 */
export function remarksOn(whole, now, model) {
  const isCut = [...whole.text].length > whole.read_to;
  const most = `(at most ${model.max_tokens.toLocaleString("en")} tokens)`;
  return [
    now.warning ? h("p", { class: "remark" }, withCode(now.warning)) : null,
    isCut
      ? h(
          "p",
          { class: "remark", id: "cut-note" },
          `The model read the first ${count(whole.words.length, "word")} ${most}. The rest was cut off and is grey.`,
        )
      : null,
    now.notes.map((note) => h("p", { class: "note soft" }, withCode(note))),
  ];
}
