// What is shown of one text: the answer, how it changed without some words, the heatmaps, the hops.

import { chooser, count, debounce, fill, focusedKey, focusKey, h } from "../../lib/dom.js";
import { answerBox, changeInWords, fillVerdict, inWords, remarksOn } from "./answer.js";
import { drawCheck, insteadOfEffects, labelView } from "./check.js";
import { drawMaps } from "./heatmaps.js";
import { hopsCard } from "./hops.js";
import { makeDrawing } from "./picture.js";
import { spread } from "./removed_words.js";
import { waterfallOf } from "./waterfall.js";

const HINT = "Click a word to remove it and see the answer without it.";
const DOTTED = " A dotted line is under words that the model does not know.";
const ANNOUNCE_AFTER = 600; // ms

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/cache.js").Known} Known */
/** @typedef {import("../../lib/types.js").Model} Model */

/**
 * @typedef {object} Reading
 * @property {Model} model
 * @property {Known} whole  the explanation of the whole text
 * @property {Known} now  of the text without the removed words
 * @property {number[]} removed
 * @property {string} label  the label that was chosen, or ""
 * @property {boolean} isChecked  whether leave-one-out is wanted
 * @property {""|"asked"|"refused"} waiting  what stands in place of effects that are not known
 * @property {object} question  what was asked
 */

/**
 * @typedef {object} Listener
 * @property {(i: number) => void} press  a word was pressed
 * @property {() => void} undo
 * @property {() => void} putBack  all words
 * @property {(label: string) => void} chooseLabel
 * @property {() => void} measure  leave-one-out, where it waits for a press
 * @property {() => object} saved  what to ask for the picture that is saved
 */

/** A molecule without an atom is none: nothing is removed there. @param {Model} model */
export const isText = (model) => model.input === "text";

/** The label that is explained. @param {Reading} reading */
const targetOf = ({ now, label }) => (label && labelView(now, label) ? label : now.target);

/** @param {App} app @param {import("../../lib/state.js").TabState} own @param {Listener} on */
export function makeResult(app, own, on) {
  const answer = h("div", { id: "answer" });
  const changed = h("div", { class: "changed", id: "changed" });
  const verdict = h("div", { id: "verdict", class: "verdict", role: "note", hidden: true });
  const remarks = h("div", {});
  const sum = h("div", { id: "sum" });
  const label = h("span", {});
  const check = h("div", { class: "row" });
  const maps = h("div", { class: "maps" });
  const picture = h("div", { id: "drawing" });
  const drawing = makeDrawing(picture, app.api);
  const hopsBox = h("section", { class: "card", id: "hops", hidden: true });
  const hops = hopsCard(hopsBox, own);
  const saves = app.save({ path: "explain", body: on.saved, name: "heedful-heatmap", what: "heatmap" });
  const answerCard = h(
    "section",
    { class: "card said-card", hidden: true },
    h("h2", {}, "The model’s answer"),
    answer,
    sum,
    remarks,
  );
  const results = h(
    "div",
    { id: "results", hidden: true },
    h(
      "section",
      { class: "card" },
      h("div", { class: "head" }, h("h2", {}, "What the model read"), h("div", { class: "end row" }, label, saves)),
      verdict,
      changed,
      maps,
      check,
      picture,
    ),
    hopsBox,
  );

  /** @param {Reading} reading */
  function drawWords(reading) {
    const { whole, now, model } = reading;
    const removed = new Set(reading.removed);
    /** @param {(i: number) => number|null|undefined} value */
    const at = (value) => spread(whole.words, removed, now.words, value);
    const unit = isText(model) ? "word" : "atom";
    const target = targetOf(reading);
    const drawn = labelView(now, target);
    const wait = insteadOfEffects(reading, count(now.words.length, unit), unit, on.measure);
    const seen = {
      text: whole.text,
      words: whole.words,
      readTo: whole.read_to,
      unread: whole.view.unread,
      removed,
      target,
      contributions: drawn && {
        ...drawn,
        values: at((i) => now.contributions?.[target][i]),
        shades: at((i) => drawn.shades[i]),
      },
      isChecked: reading.isChecked,
      isNumber: now.value !== undefined,
      weights: at((i) => now.words[i].weight),
      shades: at((i) => now.view.weights[i]),
      account: now.view.weights_account,
      effects: now.effects ? at((i) => now.words[i].leave_one_out) : null,
      effectShades: at((i) => now.view.leave_one_out?.[i]),
      aside: now.view.aside,
      press: isText(model) ? on.press : null,
      unit,
      wait,
    };
    drawMaps(maps, seen);
    drawSum(
      drawn,
      target,
      at((i) => i),
    );
    drawCheck(check, reading.isChecked ? null : wait, maps);
    const spoken = `The molecule; most weight is on what is darkest. The answer is ${inWords(now, model)}.`;
    if (isText(model)) drawing.clear();
    else drawing.draw({ ...reading.question, methods: [] }, spoken);
    hops.draw({
      ...seen,
      hops: now.hops.map((hop) => at((i) => hop[i])),
      hopShades: now.view.hops.map((hop) => at((i) => hop[i])),
      effects: drawn?.hops ?? now.hop_effects ?? null,
      account: now.view.hops_account,
    });
  }

  /** @param {import("../../lib/types.js").LabelView|null} drawn @param {string} target @param {(number|null)[]} left the place of each word in the text that is left */
  function drawSum(drawn, target, left) {
    const places = new Map(left.map((at, i) => [at, i]));
    fill(sum, drawn ? waterfallOf(drawn.waterfall, target, drawn.total, (word) => places.get(word)) : null);
    results.parentElement?.classList.toggle("has-sum", drawn !== null);
  }

  /** @param {Reading} reading */
  function drawAnswer(reading) {
    const { whole, now, model, removed } = reading;
    const key = focusedKey(answer);
    const choose = (/** @type {string} */ name) => on.chooseLabel(name === now.label ? "" : name);
    const open = answer.querySelector("details")?.open ?? false;
    const labels = { target: targetOf(reading), choose, open };
    fill(answer, answerBox(now, model, removed.length ? whole : null, labels));
    focusKey(answer, key);
  }

  /** @param {Reading} reading */
  function drawLabel({ model, now, label: chosen }) {
    label.hidden = model.task !== "classify" || model.labels.length < 2;
    if (label.hidden || label.contains(document.activeElement)) return;
    /** @type {[string, string][]} */
    const options = [
      ["", `${model.many ? "most probable" : "the answer"} (${now.label})`],
      ...model.labels.map((name) => /** @type {[string, string]} */ ([name, name])),
    ];
    fill(
      label,
      chooser({
        id: "read-label",
        label: now.view.contributions ? "Label" : "Effect on",
        options,
        value: chosen,
        onchange: on.chooseLabel,
      }),
    );
  }

  /** @param {Reading} reading */
  function drawChange(reading) {
    const { now, model, removed } = reading;
    changed.classList.toggle("is-changed", removed.length > 0);
    if (!removed.length) {
      const dotted = now.words.some((word) => word.is_known === false) ? DOTTED : "";
      return fill(changed, isText(model) ? h("p", { class: "soft" }, HINT, dotted) : null);
    }
    const { without, change, more } = difference(reading);
    const focused = changed.contains(document.activeElement) ? document.activeElement?.id : "";
    const all = h("button", { type: "button", id: "undo-all", class: "quiet", onclick: on.putBack }, "Put all back");
    fill(
      changed,
      h("p", { id: "change" }, without, ": ", h("b", {}, change), ". ", more),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", id: "undo", onclick: on.undo }, "Undo"),
        removed.length > 1 ? all : null,
      ),
    );
    if (focused)
      /** @type {HTMLElement|null} */ (changed.querySelector(`#${focused}`) ?? changed.querySelector("#undo"))?.focus();
  }

  let announced = "";
  const announceSoon = debounce(() => app.announce(announced), ANNOUNCE_AFTER);
  /** Tell a screen reader what is new. @param {Reading} reading */
  function announce(reading) {
    const { without, change, more } = difference(reading);
    const next = reading.removed.length
      ? `${without}: ${change}. ${more}`
      : `Answer: ${inWords(reading.now, reading.model)}`;
    if (next !== announced) [(announced = next), announceSoon()];
  }

  return {
    answerCard,
    results,
    maps,
    changed,
    drawWords,
    /** @param {Reading} reading */
    show(reading) {
      const { whole, now, model } = reading;
      answerCard.hidden = results.hidden = false;
      results.removeAttribute("aria-busy");
      drawAnswer(reading);
      drawChange(reading);
      fillVerdict(verdict, now);
      fill(remarks, remarksOn(whole, now, model));
      drawLabel(reading);
      drawWords(reading);
      announce(reading);
    },
    /** Whether what is shown is of another text than the one in the box. @param {boolean} is */
    stale: (is) => [answerCard, results].forEach((part) => part.classList.toggle("stale", is)),
    hide() {
      answerCard.hidden = results.hidden = true;
    },
  };
}

/** How the answer changed. @param {Reading} reading */
const difference = ({ whole, now, model, removed }) =>
  changeInWords(
    whole,
    now,
    model,
    removed.map((i) => whole.words[i].text),
  );
