// The walk through the steps: one at a time or all at once, by buttons and arrow keys.

import { fill, focusedKey, focusKey, h, indexed } from "../../lib/dom.js";
import { formulas, stage } from "./stages.js";

/** @typedef {import("../../lib/types.js").Steps} Steps */

const SHORT = ["q, k, v", "q · k", "÷ √d", "softmax", "× v", "sum", "matrices", "heads"];
const BUSY = "input, select, textarea, summary, .scroll, [role=slider], [role=grid], [role=tab], " + ".text"; // they have arrow keys of their own

/** @param {Steps} steps */
const keyOf = ({ model, text, layer, head, token }) => JSON.stringify([model, text, layer, head, token]);

/** @param {import("../../lib/state.js").TabState} state */
export function makeWalk(state) {
  /** @type {Steps|null} */
  let steps = null;
  let other = -1; // the word whose sum is written out; −1: the one with most weight
  const body = h("div", { class: "stages" });
  const names = h(
    "ol",
    { class: "stages-list" },
    SHORT.map((name, i) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", "aria-label": `Step ${i + 1}: ${name}`, onclick: () => go(i) },
          h("b", {}, i < 6 ? i + 1 : "+"),
          h("span", { class: i < 6 ? null : "always" }, name),
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

  const now = () => Math.min(SHORT.length, Math.max(1, Number(state.get("step", "1")) || 1)) - 1;
  const isAll = () => state.get("all") === "1";

  /** @param {number} to */
  function go(to) {
    if (to < 0 || to >= SHORT.length) return;
    state.set({ step: to ? String(to + 1) : "" });
    draw();
    if (isAll())
      body.children[to]?.scrollIntoView({
        block: "start",
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
  }

  /** @param {KeyboardEvent} event */
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
    const target = /** @type {HTMLElement} */ (event.target);
    const isOutside = target !== document.body && !node.contains(target);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step || isOutside || target.closest(BUSY)) return;
    event.preventDefault();
    go(now() + step);
  }

  function draw() {
    const current = steps;
    if (!current) return;
    const key = focusedKey(body);
    const at = now();
    names.querySelectorAll("button").forEach((button, i) => {
      button.setAttribute("aria-label", `Step ${i + 1}: ${current.view.stages[i].title}`);
      if (i === at) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    back.disabled = at === 0;
    on.disabled = at === SHORT.length - 1;
    node.classList.toggle("all", isAll());
    all.setAttribute("aria-pressed", String(isAll()));
    fill(
      body,
      (isAll() ? SHORT.map((_, i) => i) : [at]).map((step) => card(current, step)),
    );
    focusKey(body, key);
  }

  /** @param {Steps} shown @param {number} step */
  function card(shown, step) {
    const { title, text } = shown.view.stages[step];
    const best = shown.weights.indexOf(Math.max(...shown.weights));
    return h(
      "div",
      { class: "stage", id: `step-${step + 1}` },
      h("h2", {}, step < 6 ? h("span", { class: "n-of" }, step + 1) : null, h("span", {}, indexed(title))),
      h("p", {}, indexed(text)),
      h("p", { class: "formula", dir: "ltr" }, formulas(shown)[step]),
      stage(shown, step, other < 0 ? best : other, (j) => ((other = j), draw())),
    );
  }

  document.addEventListener("keydown", keys);
  return {
    node,
    /** @param {Steps} next */
    show(next) {
      if (steps && keyOf(next) === keyOf(steps)) return; // nothing has changed
      if (next.token !== steps?.token || next.text !== steps?.text) other = -1;
      steps = next;
      draw();
    },
    /** After Back, Forward or a pasted link. */
    refresh: draw,
  };
}
