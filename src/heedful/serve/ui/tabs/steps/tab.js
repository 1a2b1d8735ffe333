// Steps: for someone who learns. One word is followed through self-attention with the model's own numbers.

import { ApiError, newest } from "../../lib/api.js";
import { chooser, debounce, empty, fill, h, number, trouble } from "../../lib/dom.js";
import { heatText, legend } from "../../lib/heat.js";
import { contexts } from "./contexts.js";
import { makeMatrix } from "./matrix.js";
import { makeWalk } from "./walk.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {import("../../lib/types.js").Steps} Steps */
/** @typedef {import("../../lib/types.js").TwoContexts} TwoContexts */

const ANIMAL = "The animal didn't cross the street because it was too tired";
const FLIES = ["time flies like an arrow", "fruit flies like a banana"];
const EXAMPLES = [
  { name: "Where “it” looks", values: { text: ANIMAL, word: "it", second: "" } },
  { name: "“flies” in two texts", values: { text: FLIES[0], word: "flies", second: FLIES[1] } },
];
const PREFERRED = "en-tiny";
const WAIT = 300; // ms after the last key

/** @param {Model} model */
const fits = (model) => model.does.includes("steps");

export const tab = {
  id: "steps",
  title: "Steps",
  fits: (/** @type {App} */ { models }) => models.some(fits),
  empty: () =>
    empty(
      "No model with self-attention is served",
      h(
        "p",
        {},
        "The steps need a transformer, in which words look at each other. Start the server with one, such as the small one that comes " +
          "with the package: ",
        h("code", {}, "heedful serve en-tiny"),
      ),
    ),
  mount,
};

/** @param {HTMLElement} root @param {App} app */
function mount(root, app) {
  const state = app.state.of("steps");
  if (!state.get("model") && app.models.some((model) => model.id === PREFERRED && fits(model)))
    state.set({ model: PREFERRED });
  const model = app.modelField("steps", fits, () => (drawFields(), ask()));
  const latest = newest();
  const later = debounce(ask, WAIT);
  const walk = makeWalk(state);
  const matrix = makeMatrix({ chooseHead: (layer, head) => choose({ layer: layer + 1, head: head + 1 }), chooseWord });
  const text = area("steps-text", "Text", "text");
  const second = area("steps-second", "Second text", "second");
  const fields = h("div", { class: "row" });
  const modes = [
    { name: "One text", onclick: () => choose({ second: "" }, true) },
    { name: "One word in two texts", onclick: beginTwo },
  ].map(({ name, onclick }) => h("button", { type: "button", class: "chip", onclick }, name));
  const read = h("section", { class: "card", id: "steps-words", "aria-label": "Choose a word" });
  const single = h("div", {}, read, h("div", { class: "steps-both" }, walk.node, matrix.node));
  const result = h("div", { id: "steps-result" });
  /** @type {Steps|null} */
  let data = null;

  const within = (/** @type {"layer"|"head"} */ key, /** @type {number} */ most) =>
    Math.min(most, Math.max(1, Number(state.get(key)) || (isChosen() ? 1 : (data?.[key] ?? 1))));
  const isChosen = () => Boolean(state.get("layer") || state.get("head")); // else the server chooses a telling head
  const layer = () => within("layer", model.now().n_layers);
  const head = () => within("head", model.now().n_heads);
  const given = () => state.get("text", ANIMAL);
  const nth = () => Math.max(1, Number(state.get("nth", "1")) || 1);
  const wanted = () => state.get("word", given() === ANIMAL ? "it" : "");

  /** @param {string} id @param {string} name @param {string} key */
  function area(id, name, key) {
    const box = h("textarea", {
      id,
      rows: "2",
      dir: "auto",
      oninput: () => (state.set({ [key]: box.value || " ", nth: "" }), later()),
    });
    return { box, node: h("label", { class: "field tall" }, h("span", {}, name), box) };
  }

  /** Take over other values, with a step that Back undoes. @param {Record<string, string|number>} values */
  function choose(values, isText = false) {
    state.set(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)])), { push: true });
    drawFields();
    if (!isText && data && !state.get("second")) draw();
    ask();
  }

  /** Two texts to begin with: the example, or the text of now twice, to be changed. */
  function beginTwo() {
    if (state.get("second")) return;
    if (given() === ANIMAL) use(EXAMPLES[1].values);
    else choose({ second: given() }, true);
    second.box.focus();
  }

  /** @param {Record<string, string|number>} values */
  function use(values) {
    choose({ nth: "", ...values }, true);
    text.box.value = given();
  }

  /** @param {number} i */
  function chooseWord(i) {
    if (!data) return;
    const form = (/** @type {{text: string}} */ word) => word.text.toLowerCase();
    const same = form(data.words[i]);
    const nth = data.words.slice(0, i).filter((word) => form(word) === same).length;
    choose({ word: data.words[i].text, nth: nth ? nth + 1 : "", layer: layer(), head: head() });
    const row = data.looks[layer() - 1][head() - 1][i];
    const most = row.indexOf(Math.max(...row));
    app.announce(
      `${data.words[i].text} is followed. It looks most at ${data.words[most].text}, ${number(row[most], 2)}.`,
    );
  }

  /** The word that is followed: the nth of its form. @param {Steps} data */
  function wordNow({ words }) {
    const all = words.map((_, i) => i).filter((i) => words[i].text.toLowerCase() === wanted().toLowerCase());
    return all[nth() - 1] ?? all[0] ?? 0;
  }

  async function ask() {
    later.stop();
    if (!given().trim()) {
      latest.stop();
      return busy(false, h("p", { class: "soft" }, "Write a text: without words there is nothing to look at."));
    }
    const two = state.get("second").trim();
    if (state.get("second") && !two) {
      latest.stop();
      return busy(false, h("p", { class: "soft" }, "Write a second text that has a word of the first."));
    }
    const body = {
      model: model.now().id,
      text: given(),
      ...(two ? { compare: two } : { ...(isChosen() ? { layer: layer(), head: head() } : {}), nth: nth() }),
      view: true,
    };
    busy(true);
    try {
      const answer = await latest((signal) => asked(app, { ...body, word: wanted() }, signal));
      if (!answer) return;
      if (two) {
        app.announce(answer.view.verdict);
        return busy(false, ...contexts(answer, (word) => choose({ word }), walkThrough(answer)));
      }
      data = answer;
      drawFields();
      draw();
      busy(false, single);
    } catch (error) {
      busy(false, trouble(error));
    }
  }

  /** From a head in one of two texts to its steps. */
  const walkThrough =
    (/** @type {TwoContexts} */ answer) =>
    (/** @type {number} */ side, /** @type {number} */ i, /** @type {number} */ j) => {
      use({ text: answer.texts[side].text, word: answer.word, second: "", layer: i + 1, head: j + 1 });
      scrollTo({ top: 0 });
    };

  function draw() {
    if (!data) return;
    const { words, view } = data;
    const word = wordNow(data);
    const at = {
      word,
      layer: Math.min(layer(), data.looks.length) - 1,
      head: Math.min(head(), data.looks[0].length) - 1,
    };
    const row = data.looks[at.layer][at.head][word];
    const had = read.contains(document.activeElement);
    const box = heatText({
      text: data.text,
      words,
      readTo: view.unread ? words.at(-1)?.end : undefined,
      unread: view.unread,
      shades: row.map((weight) => weight / view.darkest[at.layer][at.head][word]),
      tip: (i) => number(row[i]),
      label: (i) => `${words[i].text}, weight ${number(row[i], 2)}`,
      press: chooseWord,
      at: word,
    });
    for (const span of /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".w")])) {
      span.dataset.stepWord = span.dataset.at;
      span.classList.toggle("framed", Number(span.dataset.at) === word);
      span.setAttribute("aria-pressed", String(Number(span.dataset.at) === word));
    }
    box.setAttribute("aria-label", "Words: press one to follow it");
    fill(
      read,
      h("div", { class: "head" }, h("h2", {}, "Press a word to follow it"), legend("less", "more")),
      box,
      h(
        "p",
        { class: "soft" },
        `Framed: the word that is followed. Shaded: where it looks in layer ${at.layer + 1}, head ${at.head + 1}.`,
      ),
    );
    if (had) /** @type {HTMLElement|null} */ (read.querySelector(`[data-step-word="${word}"]`))?.focus();
    const { start } = data.tokens[data.token];
    const isFollowed = words[word].start <= start && start < words[word].end;
    matrix.show(data, at, isFollowed);
    if (isFollowed && data.layer === at.layer + 1 && data.head === at.head + 1) walk.show(data);
  }

  function drawFields() {
    /** @param {number} n @returns {[string, string][]} */
    const options = (n) => Array.from({ length: n }, (_, i) => [String(i + 1), `${i + 1} of ${n}`]);
    const pick = (/** @type {string} */ id, /** @type {number} */ n, /** @type {number} */ value) =>
      chooser({
        id,
        label: id === "layer" ? "Layer" : "Head",
        options: options(n),
        value: String(value),
        onchange: (to) => choose({ [id]: to }),
      });
    const two = Boolean(state.get("second"));
    const key = fields.contains(document.activeElement) ? document.activeElement?.id : "";
    fill(
      fields,
      h("div", { class: "row modes", role: "group", "aria-label": "What to look at" }, modes),
      two ? null : [pick("layer", model.now().n_layers, layer()), pick("head", model.now().n_heads, head())],
    );
    modes.forEach((button, i) => button.setAttribute("aria-pressed", String(two === Boolean(i))));
    if (key) /** @type {HTMLElement|null} */ (fields.querySelector(`#${key}`))?.focus();
    second.node.hidden = !two;
    second.box.value = state.get("second");
  }

  /** @param {boolean} is @param {...Node} content */
  function busy(is, ...content) {
    result.classList.toggle("busy", is);
    result.setAttribute("aria-busy", String(is));
    if (content.length && !(content[0] === single && result.firstChild === single)) fill(result, content);
  }

  function restore() {
    text.box.value = given();
    model.refresh();
    drawFields();
    walk.refresh();
    ask();
  }

  const examples = EXAMPLES.map(({ name, values }) =>
    h("button", { type: "button", class: "chip", onclick: () => use(values) }, name),
  );
  fill(
    root,
    h(
      "section",
      { class: "card" },
      h("div", { class: "head" }, h("h2", {}, "Self-attention, step by step"), h("div", { class: "end" }, model.node)),
      h("div", { class: "steps-boxes" }, text.node, second.node),
      h(
        "div",
        { class: "row", role: "group", "aria-label": "Examples" },
        h("span", { class: "soft" }, "Try"),
        examples,
      ),
      fields,
    ),
    result,
  );
  state.listen(restore);
  restore();
}

/**
 * Ask for a word; where the text has it no more, for the first.
 * @param {App} app @param {{model: string, text: string, word: string, compare?: string, nth?: number}} question @param {AbortSignal} signal
 */
async function asked(app, { word, nth, ...body }, signal) {
  const has = [body.text, body.compare ?? body.text].every((text) => text.toLowerCase().includes(word.toLowerCase()));
  if (!word || !has) return app.api.post("steps", body, { signal });
  try {
    return await app.api.post("steps", { ...body, word, nth }, { signal });
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || error.status !== 400) throw error;
    return app.api.post("steps", body, { signal });
  }
}
