// Compare: how alike two texts are to an encoder, and which pairs of words make them so.

import { newest } from "../../lib/api.js";
import { debounce, empty, fill, h, number, trouble } from "../../lib/dom.js";
import { similarityView, WRITE_BOTH } from "./result.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {import("../../lib/types.js").Similarity} Similarity */

const EXAMPLES = [
  ["Music", "A man is playing a guitar.", "Someone makes music on a guitar."],
  ["Two banks", "The bank raised its interest rates.", "We sat on the bank of the river."],
  ["With “not”", "The soup was good.", "The soup was not good."],
  ["Far apart", "The cat sleeps on the sofa.", "Parliament passed the new budget."],
];
const PREFERRED = "en-base";
const WAIT = 250; // ms after the last key

/** @param {Model} model */
const fits = (model) => model.does.includes("similarity");

export const tab = {
  id: "compare",
  title: "Compare",
  fits: (/** @type {App} */ { models }) => models.some(fits),
  empty: () =>
    empty(
      "No encoder is served",
      h(
        "p",
        {},
        "Comparing two texts needs a model that makes vectors. Start the server with one: ",
        h("code", {}, "heedful serve en-base"),
      ),
    ),
  mount,
};

/** @param {HTMLElement} root @param {App} app */
function mount(root, app) {
  const state = app.state.of("compare");
  if (!state.get("model") && app.models.some((model) => model.id === PREFERRED)) state.set({ model: PREFERRED });
  const model = app.modelField("compare", fits, ask);
  const latest = newest();
  const later = debounce(ask, WAIT);
  const boxes = ["first", "second"].map((id) => h("textarea", { id, rows: "3", dir: "auto", oninput: typed }));
  const output = h("div", { id: "compare-result" });

  function typed() {
    state.set({ first: boxes[0].value, second: boxes[1].value });
    later();
  }

  /** @param {string} first @param {string} second */
  function put(first, second) {
    [boxes[0].value, boxes[1].value] = [first, second];
    state.set({ first, second }, { push: true });
    ask();
  }

  async function ask() {
    later.stop();
    const [first, second] = boxes.map((box) => box.value);
    if (!first.trim() || !second.trim()) {
      latest.stop();
      return busy(false, h("p", { class: "soft", id: "similarity" }, WRITE_BOTH));
    }
    busy(true);
    const body = { model: model.now().id, first, second, view: true };
    try {
      /** @type {Similarity|undefined} */
      const result = await latest((signal) => app.api.post("similarity", body, { signal }));
      if (!result) return;
      busy(false, similarityView(result));
      app.announce(`Similarity ${number(result.similarity, 2)}: ${result.view.reading}.`);
    } catch (error) {
      busy(false, trouble(error));
    }
  }

  /** @param {boolean} is @param {Node|Node[]} [content] */
  function busy(is, content) {
    output.classList.toggle("busy", is);
    output.setAttribute("aria-busy", String(is));
    if (content) fill(output, content);
  }

  function restore() {
    boxes[0].value = state.get("first", EXAMPLES[0][1]);
    boxes[1].value = state.get("second", EXAMPLES[0][2]);
    model.refresh();
    ask();
  }

  const swap = h(
    "button",
    {
      type: "button",
      id: "swap",
      "aria-label": "Swap the two texts",
      "data-n": "Swap",
      onclick: () => put(boxes[1].value, boxes[0].value),
    },
    "⇄",
  );
  const examples = EXAMPLES.map(([name, first, second]) =>
    h("button", { type: "button", class: "chip", onclick: () => put(first, second) }, name),
  );
  fill(
    root,
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "head" },
        h("h2", {}, "How similar are two texts, and which words make them so?"),
        h("div", { class: "end" }, model.node),
      ),
      h("div", { class: "pair-boxes" }, field("First text", boxes[0]), swap, field("Second text", boxes[1])),
      h(
        "div",
        { class: "row", role: "group", "aria-label": "Examples" },
        h("span", { class: "soft" }, "Try"),
        examples,
      ),
    ),
    output,
  );
  state.listen(restore);
  restore();
}

/** @param {string} name @param {HTMLElement} input */
const field = (name, input) => h("label", { class: "field tall" }, h("span", {}, name), input);
