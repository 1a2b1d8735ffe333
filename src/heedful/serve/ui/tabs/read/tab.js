// Read: a model's answer to a text, what each word adds to it, where the model looked, and how reliable that is.

import { newest } from "../../lib/api.js";
import { makeExplainer } from "../../lib/cache.js";
import { count, debounce, empty, fill, h, trouble } from "../../lib/dom.js";
import { askLabel, BY_ITSELF } from "./check.js";
import { examplesFor, offersFor } from "./examples.js";
import { textWithout } from "./removed_words.js";
import { isText, makeResult } from "./result.js";

const SOON = 120; // ms after a key: the answer, the contributions and the weights
const THEN = 350; // ms after a key: leave-one-out, which asks once for each word
const LOO = "leave-one-out";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {import("../../lib/cache.js").Known} Known */

/** @param {Model} model */
const reads = (model) => model.does.includes("explain") && ["classify", "regress"].includes(model.task);

export const tab = {
  id: "read",
  title: "Read",
  fits: (/** @type {App} */ app) => app.models.some(reads),
  empty: () =>
    empty(
      "There is no model to read with",
      h(
        "p",
        {},
        "This tab shows what a classifier or a regressor reads in a text, and none is served here. For encoders see " +
          "Compare; the Model tab shows how to call the others.",
      ),
      h("p", {}, "Make one in half a minute and serve it:"),
      h("pre", {}, "heedful demo --out demo\nheedful serve demo/model"),
    ),
  mount,
};

/** @param {HTMLElement} root @param {App} app */
function mount(root, app) {
  const own = app.state.of("read");
  const model = app.modelField(
    "read",
    reads,
    () => (own.set({ without: "", label: "", hops: "", check: "" }), offer(), ask()),
  );
  const latest = newest();
  const explainer = makeExplainer(app.api);
  /** @type {Known|null} */
  let whole = null; // the explanation of the whole text
  /** @type {Known|null} */
  let now = null; // of the text without the removed words
  /** @type {""|"asked"|"refused"} */
  let waiting = "";

  const text = h("textarea", {
    id: "text",
    dir: "auto",
    rows: "4",
    maxlength: "2000000",
    spellcheck: "false",
    "aria-describedby": "text-note",
    placeholder: "For example: the parcel never came, and nobody answers the phone.",
  });
  const note = h("span", { class: "soft", id: "text-note" });
  const offers = h("div", { class: "row offers" });
  const fault = h("div", { id: "read-trouble" });
  const result = makeResult(app, own, {
    press,
    undo,
    putBack: () => remove([]),
    chooseLabel: (label) => (own.set({ label }, { push: true }), ask()),
    measure,
    saved: () => ({ ...(whole ? withLabel(question(whole)) : {}), methods: now?.effects ? [LOO] : [] }),
  });
  const { results } = result;

  // Asking
  const removed = () => {
    const n = whole?.words.length ?? 0;
    return own.numbers("without").filter((i) => i < n);
  };
  const chosenLabel = () =>
    model.now().labels.includes(own.get("label")) && model.now().task === "classify" ? own.get("label") : "";
  const question = (/** @type {Known} */ { text, words }) => ({
    model: model.now().id,
    input: textWithout(text, words, removed()),
  });
  /** @template {object} Body @param {Body} body @returns {Body & {label?: string}} */
  const withLabel = (body) => (chosenLabel() ? { ...body, label: chosenLabel() } : body);
  /** Leave-one-out is a check that one asks for, and comes by itself if there are no contributions. */
  const isChecked = () => !whole?.view.contributions || own.get("check") === "1";

  function measure() {
    if (whole?.view.contributions) own.set({ check: "1" }, { push: true });
    ask({ force: true });
  }

  /** First the answer, the contributions and the weights; then, if it is wanted and nothing was typed since, leave-one-out. */
  async function ask({ force = false, pause = 0 } = {}) {
    tellAboutText();
    if (!text.value.trim()) return clear();
    const [asked, id] = [text.value, model.now().id];
    waiting = force ? "asked" : "";
    results.setAttribute("aria-busy", "true");
    try {
      await latest(async (signal) => {
        const known = await explainer.ask({ model: id, input: asked, methods: [] }, signal);
        if (signal.aborted) return;
        whole = { ...known, text: asked };
        await explain(question(whole), signal, { force, pause });
      });
    } catch (error) {
      refused(error, force);
    }
  }

  /** @param {{model: string, input: string}} body @param {AbortSignal} signal @param {{force: boolean, pause: number}} how */
  async function explain(body, signal, { force, pause }) {
    const check = { ...withLabel(body), methods: [LOO] };
    const known = isChecked() ? explainer.known(check) : undefined;
    const quick = known ?? (await askLabel(explainer, body, chosenLabel(), Boolean(whole?.view.contributions), signal));
    if (signal.aborted) return;
    show(quick);
    if (known || !isChecked() || !quick.words.length || (quick.words.length > BY_ITSELF && !force)) return;
    await new Promise((done) => setTimeout(done, pause));
    if (signal.aborted) return;
    const slow = await explainer.ask(check, signal);
    if (!signal.aborted) show(slow);
  }

  /** @param {unknown} error @param {boolean} force */
  function refused(error, force) {
    const before = now ? h("span", { class: "soft" }, "The results below are of the text before. ") : null;
    const again = h("button", { type: "button", onclick: () => ask({ force }) }, "Try again");
    fill(fault, trouble(error), h("p", { class: "row" }, again, before));
    result.stale(Boolean(now));
    results.removeAttribute("aria-busy");
    waiting = "refused";
    const reading = readingNow();
    if (reading) result.drawWords(reading);
  }

  function clear() {
    latest.stop();
    [whole, now] = [null, null];
    fill(fault);
    result.hide();
  }

  const readingNow = () =>
    whole &&
    now && {
      model: model.now(),
      whole,
      now,
      removed: removed(),
      label: chosenLabel(),
      isChecked: isChecked(),
      waiting,
      question: withLabel(question(whole)),
    };

  /** @param {Known} known */
  function show(known) {
    now = known;
    fill(fault);
    result.stale(false);
    const reading = readingNow();
    if (reading) result.show(reading);
  }

  // Removing words
  /** @param {number} i */
  function press(i) {
    if (text.value !== whole?.text) return; // it was typed in since: these words are of another text
    const gone = removed();
    remove(gone.includes(i) ? gone.filter((other) => other !== i) : [...gone, i]);
  }

  /** @param {number[]} words */
  function remove(words) {
    own.set({ without: words.join(",") }, { push: true });
    return ask();
  }

  async function undo() {
    const gone = removed();
    const last = gone.pop();
    const hadFocus = result.changed.contains(document.activeElement);
    await remove(gone);
    if (hadFocus && !gone.length)
      /** @type {HTMLElement|null} */ (result.maps.querySelector(`[data-word="${last}"]`))?.focus();
  }

  results.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && removed().length) [event.preventDefault(), undo()];
  });

  // The text box
  function tellAboutText() {
    const n = text.value.split(/\s+/).filter(Boolean).length;
    const filled = isText(model.now()) ? count(n, "word") : "A molecule, as SMILES";
    note.textContent = n ? filled : "The answer, and the words it rests on, come as you type.";
  }

  const offer = () => fill(offers, offersFor(model.now(), take));

  /** @param {string} example */
  function take(example) {
    text.value = example;
    own.set({ text: example, without: "", check: "" }, { push: true });
    ask();
  }

  const typed = debounce(() => ask({ pause: THEN - SOON }), SOON);
  text.addEventListener("input", () => {
    own.set({ text: text.value, without: "", check: "" });
    typed();
  });

  function fromLink() {
    const leftOut = app.state.leftOut.includes("text") && !own.get("text");
    if (text.value !== own.get("text")) text.value = own.get("text");
    model.refresh();
    offer();
    ask();
    if (leftOut)
      fill(
        fault,
        h("p", { class: "remark" }, "The text was too long for this link, which left it out. Paste it again."),
      );
  }

  const title = h("h2", {}, h("label", { for: "text" }, "Type or paste a text"));
  const head = h("div", { class: "head" }, title, h("div", { class: "end" }, model.node));
  const input = h("section", { class: "card input" }, head, text, h("div", { class: "row" }, note), offers);
  fill(root, h("div", { class: "read" }, input, result.answerCard, fault, results));
  own.listen(fromLink);
  if (!own.get("text") && !app.state.leftOut.includes("text")) own.set({ text: examplesFor(model.now())[0] ?? "" });
  fromLink();
}
