// The walk through the steps: one at a time or all at once, by buttons and arrow keys.

import { fill, h, indexed } from "../../lib/dom.js";
import { formulas, stage } from "./stages.js";
import { sentences, TITLES } from "./words.js";

const SHORT = ["q, k, v", "q · k", "÷ √d", "softmax", "× v", "sum", "matrices", "heads"];
const BUSY = "input, select, textarea, summary, .scroll, [role=slider], [role=grid], [role=tab], " + ".text"; // they have arrow keys of their own

const keyOf = ({ data, at, hasJoined }) =>
  JSON.stringify([data.model, data.text, data.layer, data.head, at, hasJoined]);

/** @param {{get: Function, set: Function}} state */
export function makeWalk(state) {
  let facts = null;
  let other = -1; // the word whose sum is written out; −1: the one with most weight
  const body = h("div", { class: "stages" });
  const names = h(
    "ol",
    { class: "stages-list" },
    SHORT.map((said, i) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", "aria-label": `Step ${i + 1}: ${TITLES[i]}`, onclick: () => go(i) },
          h("b", {}, i < 6 ? i + 1 : "+"),
          h("span", { class: i < 6 ? null : "always" }, said),
        ),
      ),
    ),
  );
  const back = h("button", { type: "button", id: "step-prev", onclick: () => go(now() - 1) }, "← Previous");
  const on = h("button", { type: "button", id: "step-next", class: "primary", onclick: () => go(now() + 1) }, "Next →");
  const all = h(
    "button",
    { type: "button", id: "step-all", class: "chip", onclick: () => (state.set({ all: isAll() ? "" : "1" }), draw()) },
    "All at once",
  );
  const node = h(
    "section",
    { class: "card walk", "aria-label": "The steps" },
    names,
    body,
    h(
      "div",
      { class: "row walk-buttons" },
      back,
      on,
      h("span", { class: "soft" }, "or the keys ← →"),
      h("span", { class: "end" }, all),
    ),
  );

  const now = () => Math.min(TITLES.length, Math.max(1, Number(state.get("step", "1")) || 1)) - 1;
  const isAll = () => state.get("all") === "1";

  function go(to) {
    if (to < 0 || to >= TITLES.length) return;
    state.set({ step: to ? String(to + 1) : "" });
    draw();
    if (isAll())
      body.children[to]?.scrollIntoView({
        block: "start",
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
  }

  function keys(event) {
    if (
      !node.isConnected ||
      node.closest("[hidden]") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented
    )
      return;
    const outside = event.target !== document.body && !node.contains(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || outside || event.target.closest(BUSY)) return;
    event.preventDefault();
    go(now() + step);
  }

  function draw() {
    if (!facts) return;
    const key = body.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const at = now();
    [...names.children].forEach((li, i) => {
      li.firstChild.toggleAttribute("aria-current", false);
      if (i === at) li.firstChild.setAttribute("aria-current", "step");
    });
    back.disabled = at === 0;
    on.disabled = at === TITLES.length - 1;
    node.classList.toggle("all", isAll());
    all.setAttribute("aria-pressed", String(isAll()));
    fill(body, (isAll() ? TITLES.map((_, i) => i) : [at]).map(one));
    if (key) body.querySelector(`[data-key="${key}"]`)?.focus();
  }

  function one(step) {
    const title = step === 2 ? `Divided by √d_k = √${facts.data.d_k}` : TITLES[step];
    return h(
      "div",
      { class: "stage", id: `step-${step + 1}` },
      h("h2", {}, step < 6 ? h("span", { class: "n-of" }, step + 1) : null, h("span", {}, indexed(title))),
      h("p", {}, indexed(sentences(facts)[step])),
      h("p", { class: "formula", dir: "ltr" }, formulas(facts)[step]),
      stage(facts, step, other < 0 ? facts.best : other, (j) => ((other = j), draw())),
    );
  }

  document.addEventListener("keydown", keys);
  return {
    node,
    /** @param {import("./numbers.js").Facts} given */
    show(given) {
      const now = keyOf(given);
      if (facts && now === keyOf(facts)) return; // nothing has changed
      if (given.at !== facts?.at || given.data.text !== facts?.data.text) other = -1;
      facts = given;
      draw();
    },
    /** After Back, Forward or a pasted link. */
    refresh: draw,
  };
}
