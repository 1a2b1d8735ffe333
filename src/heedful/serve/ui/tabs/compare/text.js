// One of two texts, each word coloured by what it adds to their similarity.

import { number } from "../../lib/dom.js";
import { signedShades } from "./folding.js";
import { heatText, shade } from "../../lib/heat.js";
import { readTo } from "../../lib/read_to.js";
import { roveList } from "../../lib/arrow_keys.js";

/**
 * @param {{text: string, words: import("./folding.js").Word[]}} side @param {string} name
 * @param {{over: (word: number) => void, out: () => void}} on
 */
export function pairText(side, name, on) {
  const box = heatText({ text: side.text, words: side.words, shades: [], readTo: readTo(side) });
  box.classList.add("tall");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${name} text, word by word: arrow keys move`);
  const spans = [...box.querySelectorAll(".w")];
  const places = new Map(spans.map((span) => [span, Number(span.dataset.at)]));
  for (const span of spans) {
    delete span.dataset.at; // the same place in the other text is another word
    span.setAttribute("role", "button");
    span.addEventListener("click", () => span.focus());
  }
  const over = (event) => {
    const at = places.get(event.target.closest(".w"));
    if (at !== undefined) on.over(at);
  };
  box.addEventListener("pointerover", over);
  box.addEventListener("focusin", over);
  box.addEventListener("pointerleave", on.out);
  box.addEventListener("focusout", on.out);
  roveList(box, spans);
  const own = side.words.map((word) => word.adds);
  return {
    box,
    /** Colour by what each word adds, or by other numbers, one of them framed. @param {number[]} [parts] */
    colour(parts = own, framed = -1) {
      const shades = signedShades(parts);
      for (const [span, i] of places) {
        shade(span, shades[i], true);
        span.dataset.n = number(parts[i], 3, true);
        span.classList.toggle("framed", i === framed);
        span.setAttribute("aria-pressed", String(i === framed));
      }
    },
  };
}
