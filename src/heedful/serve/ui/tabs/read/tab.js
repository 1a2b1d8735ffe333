// Read: what a model answers to a text, where it looked, what each word does, and whether to believe that.

import { newest } from "../../lib/api.js";
import { answerBox, changeInWords, fillVerdict, inWords, remarksOn } from "./answer.js";
import { chooser, count, debounce, empty, fill, h, trouble } from "../../lib/dom.js";
import { makeDrawing } from "./picture.js";
import { examplesFor, offersFor } from "./examples.js";
import { hopsCard } from "./hops.js";
import { drawMaps } from "./heatmaps.js";
import { makeExplainer } from "../../lib/cache.js";
import { spread, textWithout } from "./removed_words.js";

const SOON = 120; // ms after a key: the answer and the weights
const THEN = 350; // ms after a key: leave-one-out, which asks once for each word
const BY_ITSELF = 300; // words: leave-one-out of longer texts waits for a press
const LOO = "leave-one-out";
const HINT = "Click a word to take it away and see the answer without it.";
const DOTTED = " A dotted line is under words that the model does not know.";
const reads = (model) => model.does.includes("explain") && ["classify", "regress"].includes(model.task);

export const tab = {
  id: "read",
  title: "Read",
  fits: (app) => app.models.some(reads),
  empty: () =>
    empty(
      "There is no model to read with",
      h(
        "p",
        {},
        "This part shows what a classifier or a regressor reads in a text. None is served here: for encoders see Compare, and Model tells how to call the others.",
      ),
      h("p", {}, "Make one in half a minute and serve it:"),
      h("pre", {}, "heedful demo --out demo\nheedful serve demo/model"),
    ),
  mount,
};

function mount(root, app) {
  const own = app.state.of("read");
  const model = app.modelField("read", reads, () => (own.set({ without: "", label: "", hops: "" }), offer(), ask()));
  const alone = newest();
  const explainer = makeExplainer(app.api);
  let whole = null; // what the model says of the whole text
  let now = null; // of the text without the words taken away
  let waiting = ""; // what stands in place of effects that are not known: "asked", "refused", or a button

  // What is on the page
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
  const answer = h("div", { id: "answer" });
  const changed = h("div", { class: "changed", id: "changed" });
  const verdict = h("div", { id: "verdict", class: "verdict", role: "note", hidden: true });
  const remarks = h("div", {});
  const label = h("span", {});
  const maps = h("div", { class: "maps" });
  const picture = h("div", { id: "drawing" });
  const drawing = makeDrawing(picture, app.api);
  const hopsBox = h("section", { class: "card", id: "hops", hidden: true });
  const hops = hopsCard(hopsBox, own);
  const saves = app.save({
    path: "explain",
    body: () => ({ ...question(), methods: now?.effects ? [LOO] : [] }),
    name: "heedful-heatmap",
    what: "heatmap",
  });
  const said = h(
    "section",
    { class: "card said-card", hidden: true },
    h("h2", {}, "The model’s answer"),
    answer,
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
      picture,
    ),
    hopsBox,
  );
  fill(
    root,
    h(
      "div",
      { class: "read-top" },
      h(
        "section",
        { class: "card input" },
        h(
          "div",
          { class: "head" },
          h("h2", {}, h("label", { for: "text" }, "Type or paste a text")),
          h("div", { class: "end" }, model.node),
        ),
        text,
        h("div", { class: "row" }, note),
        offers,
      ),
      said,
    ),
    fault,
    results,
  );

  // Asking
  const removed = () => (whole ? own.numbers("without").filter((i) => i < whole.words.length) : []);
  const isText = () => model.now().input === "text"; // a molecule without an atom is none: nothing is taken away there
  const chosenLabel = () =>
    model.now().labels.includes(own.get("label")) && model.now().task === "classify" ? own.get("label") : "";
  const question = () => {
    const input = textWithout(whole.text, whole.words, removed());
    return { model: model.now().id, input, ...(chosenLabel() ? { label: chosenLabel() } : {}) };
  };

  /** First the answer and the weights; then, if nothing was typed since, leave-one-out. */
  async function ask({ force = false, pause = 0 } = {}) {
    tellAboutText();
    if (!text.value.trim()) return clear();
    const [asked, id] = [text.value, model.now().id];
    waiting = force ? "asked" : "";
    results.setAttribute("aria-busy", "true");
    try {
      await alone(async (signal) => {
        const found = await explainer.ask({ model: id, input: asked, methods: [] }, signal);
        if (signal.aborted) return;
        whole = { ...found, text: asked };
        const body = question();
        const known = explainer.known({ ...body, methods: [LOO] });
        const quick = known ?? (await explainer.ask({ ...body, methods: [] }, signal));
        if (signal.aborted) return;
        show(quick);
        if (known || !quick.words.length || (quick.words.length > BY_ITSELF && !force)) return;
        await new Promise((done) => setTimeout(done, pause));
        if (signal.aborted) return;
        const slow = await explainer.ask({ ...body, methods: [LOO] }, signal);
        if (!signal.aborted) show(slow);
      });
    } catch (error) {
      const before = now ? h("span", { class: "soft" }, "What is shown is of the text before. ") : null;
      fill(
        fault,
        trouble(error),
        h("p", { class: "row" }, h("button", { type: "button", onclick: () => ask({ force }) }, "Try again"), before),
      );
      isStale(Boolean(now));
      results.removeAttribute("aria-busy");
      waiting = "refused";
      if (now) drawWords(new Set(removed()));
    }
  }

  /** Whether what is shown is of another text than the one in the box. */
  const isStale = (is) => [said, results].forEach((part) => part.classList.toggle("stale", is));

  function clear() {
    alone.stop();
    [whole, now] = [null, null];
    fill(fault);
    said.hidden = results.hidden = true;
  }

  // Drawing
  function show(result) {
    now = result;
    fill(fault);
    isStale(false);
    said.hidden = results.hidden = false;
    results.removeAttribute("aria-busy");
    const gone = removed();
    fill(answer, answerBox(now, model.now(), gone.length ? whole : null));
    drawChange(gone);
    fillVerdict(verdict, now);
    fill(remarks, remarksOn(whole, now, model.now()));
    drawLabel();
    drawWords(new Set(gone));
    say(gone);
  }

  function drawWords(gone) {
    const at = (value) => spread(whole.words, gone, now.words, value);
    const seen = {
      text: whole.text,
      words: whole.words,
      readTo: whole.read_to,
      removed: gone,
      target: now.target,
      isNumber: now.value !== undefined,
      weights: at((i) => now.words[i].weight),
      effects: now.effects ? at((i) => now.words[i].leave_one_out) : null,
      press: isText() ? press : null,
      unit: isText() ? "word" : "atom",
      wait: insteadOfEffects(),
    };
    drawMaps(maps, seen);
    if (isText()) drawing.clear();
    else
      drawing.draw(
        { ...question(), methods: [] },
        `The molecule; most weight is on what is darkest. The answer is ${inWords(now, model.now())}.`,
      );
    hops.draw({ ...seen, hops: now.hops.map((hop) => at((i) => hop[i])), effects: now.hop_effects ?? null });
  }

  function insteadOfEffects() {
    const n = count(now.words.length, isText() ? "word" : "atom");
    if (waiting === "refused") return "Not known.";
    if (now.words.length <= BY_ITSELF || waiting === "asked")
      return now.words.length ? `Asking once for each of ${n} …` : "";
    return h(
      "button",
      { type: "button", id: "measure", onclick: () => ask({ force: true }) },
      `Measure the effect of each of ${n}`,
    );
  }

  function drawLabel() {
    const { labels, task } = model.now();
    const options = [
      ["", `${model.now().many ? "most probable" : "the answer"} (${now.label})`],
      ...labels.map((l) => [l, l]),
    ];
    label.hidden = task !== "classify" || labels.length < 2;
    if (label.hidden || label.contains(document.activeElement)) return;
    fill(
      label,
      chooser({
        id: "read-label",
        label: "Effect on",
        options,
        value: chosenLabel(),
        onchange: (to) => (own.set({ label: to }, { push: true }), ask()),
      }),
    );
  }

  const difference = (gone) =>
    changeInWords(
      whole,
      now,
      model.now(),
      gone.map((i) => whole.words[i].text),
    );

  function drawChange(gone) {
    changed.classList.toggle("is-changed", gone.length > 0);
    if (!gone.length)
      return fill(
        changed,
        isText()
          ? h("p", { class: "soft" }, HINT, now.words.some((word) => word.is_known === false) ? DOTTED : "")
          : null,
      );
    const { without, change, more } = difference(gone);
    const had = changed.contains(document.activeElement) ? document.activeElement?.id : null;
    fill(
      changed,
      h("p", { id: "change" }, without, ": ", h("b", {}, change), ". ", more),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", id: "undo", onclick: undo }, "Undo"),
        gone.length > 1
          ? h("button", { type: "button", id: "undo-all", class: "quiet", onclick: () => takeAway([]) }, "Put all back")
          : null,
      ),
    );
    if (had)
      /** @type {HTMLElement|null} */ (changed.querySelector(`#${had}`) ?? changed.querySelector("#undo"))?.focus();
  }

  let told = "";
  const announceSoon = debounce(() => app.announce(told), 600);
  function say(gone) {
    const { without, change, more } = gone.length ? difference(gone) : {};
    const next = gone.length ? `${without}: ${change}. ${more}` : `Answer: ${inWords(now, model.now())}`;
    if (next !== told) [(told = next), announceSoon()];
  }

  // Taking words away
  function press(i) {
    if (text.value !== whole.text) return; // it was typed in since: these words are of another text
    const gone = removed();
    takeAway(gone.includes(i) ? gone.filter((other) => other !== i) : [...gone, i]);
  }

  function takeAway(gone) {
    own.set({ without: gone.join(",") }, { push: true });
    return ask();
  }

  async function undo() {
    const gone = removed();
    const last = gone.pop();
    const had = changed.contains(document.activeElement);
    await takeAway(gone);
    if (had && !gone.length) /** @type {HTMLElement|null} */ (maps.querySelector(`[data-word="${last}"]`))?.focus();
  }

  results.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && removed().length) [event.preventDefault(), undo()];
  });

  // The text box
  function tellAboutText() {
    const n = text.value.split(/\s+/).filter(Boolean).length;
    note.textContent = !n
      ? "The answer, and the words it rests on, come as you type."
      : isText()
        ? count(n, "word")
        : "A molecule, as SMILES";
  }

  const offer = () => fill(offers, offersFor(model.now(), take));

  function take(example) {
    text.value = example;
    own.set({ text: example, without: "" }, { push: true });
    ask();
  }

  const typed = debounce(() => ask({ pause: THEN - SOON }), SOON);
  text.addEventListener("input", () => {
    own.set({ text: text.value, without: "" });
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
  own.listen(fromLink);
  if (!own.get("text") && !app.state.leftOut.includes("text")) own.set({ text: examplesFor(model.now())[0] });
  fromLink();
}
