// Compare: how alike two texts are to an encoder, and which pairs of words make them so.

import { newest } from "../../lib/api.js";
import { account, READ_BOTH } from "./result.js";
import { reading } from "./folding.js";
import { debounce, empty, fill, h, number, trouble } from "../../lib/dom.js";

const EXAMPLES = [
  ["Music", "A man is playing a guitar.", "Someone makes music on a guitar."],
  ["Two banks", "The bank raised its interest rates.", "We sat on the bank of the river."],
  ["With “not”", "The soup was good.", "The soup was not good."],
  ["Far apart", "The cat sleeps on the sofa.", "Parliament passed the new budget."],
];
const PREFERRED = "en-base";
const WAIT = 250; // ms after the last key

const fits = (model) => model.does.includes("similarity");

export const tab = {
  id: "compare",
  title: "Compare",
  fits: ({ models }) => models.some(fits),
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

/** @param {HTMLElement} root @param {any} app */
function mount(root, app) {
  const state = app.state.of("compare");
  if (!state.get("model") && app.models.some((model) => model.id === PREFERRED)) state.set({ model: PREFERRED });
  const model = app.modelField("compare", fits, ask);
  const one = newest();
  const later = debounce(ask, WAIT);
  const boxes = ["first", "second"].map((id) => h("textarea", { id, rows: "3", dir: "auto", oninput: typed }));
  const result = h("div", { id: "compare-result" });

  function typed() {
    state.set({ first: boxes[0].value, second: boxes[1].value });
    later();
  }

  function put(first, second) {
    [boxes[0].value, boxes[1].value] = [first, second];
    state.set({ first, second }, { push: true });
    ask();
  }

  async function ask() {
    later.stop();
    const [first, second] = boxes.map((box) => box.value);
    if (!first.trim() || !second.trim()) {
      one.stop();
      return busy(false, h("p", { class: "soft", id: "similarity" }, READ_BOTH));
    }
    busy(true);
    const body = { model: model.now().id, first, second };
    try {
      const found = await one((signal) => app.api.post("similarity", body, { signal }));
      if (!found) return;
      busy(false, account(found));
      app.announce(`Similarity ${number(found.similarity, 2)}: ${reading(found.similarity)}.`);
    } catch (error) {
      busy(false, trouble(error));
    }
  }

  function busy(is, shown) {
    result.classList.toggle("busy", is);
    result.setAttribute("aria-busy", String(is));
    if (shown) fill(result, shown);
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
  const examples = EXAMPLES.map(([name, ...texts]) =>
    h("button", { type: "button", class: "chip", onclick: () => put(...texts) }, name),
  );
  fill(
    root,
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "head" },
        h("h2", {}, "How alike are two texts, and which words make them so?"),
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
    result,
  );
  state.listen(restore);
  restore();
}

const field = (said, input) => h("label", { class: "field tall" }, h("span", {}, said), input);
