// One of two texts, each word coloured by what it adds to their similarity.

import { roveList } from "../../lib/arrow_keys.js";
import { number } from "../../lib/dom.js";
import { heatText, shade } from "../../lib/heat.js";

/**
 * @param {{text: string, words: import("../../lib/types.js").AddingWord[]}} side
 * @param {{read_to: number, unread: string, shades: number[]}} view
 * @param {string} name
 * @param {{over: (word: number) => void, out: () => void}} on
 */
export function pairText(side, view, name, on) {
  const box = heatText({ text: side.text, words: side.words, shades: [], readTo: view.read_to, unread: view.unread });
  box.classList.add("tall");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${name} text, word by word: arrow keys move`);
  const spans = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".w")]);
  const places = new Map(spans.map((span) => [span, Number(span.dataset.at)]));
  for (const span of spans) {
    delete span.dataset.at; // the same position in the other text is another word
    span.setAttribute("role", "button");
    span.addEventListener("click", () => span.focus());
  }
  const over = (/** @type {Event} */ event) => {
    const word = /** @type {HTMLElement} */ (event.target).closest(".w");
    const at = places.get(/** @type {HTMLElement} */ (word));
    if (at !== undefined) on.over(at);
  };
  box.addEventListener("pointerover", over);
  box.addEventListener("focusin", over);
  box.addEventListener("pointerleave", on.out);
  box.addEventListener("focusout", on.out);
  roveList(box, spans);
  const own = { parts: side.words.map((word) => word.adds), shades: view.shades };
  return {
    box,
    /** Colour by what each word adds, or by other numbers, one of them framed. @param {{parts: number[], shades: number[]}} [by] */
    colour({ parts, shades } = own, framed = -1) {
      for (const [span, i] of places) {
        shade(span, shades[i], true);
        span.dataset.n = number(parts[i], 3, true);
        span.classList.toggle("framed", i === framed);
        span.setAttribute("aria-pressed", String(i === framed));
      }
    },
  };
}
