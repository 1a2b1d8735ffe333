// Leave-one-out: asked for with a button if there are contributions, and by itself if there are none.

import { fill, h } from "../../lib/dom.js";

export const BY_ITSELF = 300; // words: leave-one-out of longer texts waits for a press

/** Draw the button, or nothing once it was pressed: then the focus goes on to what came. @param {HTMLElement} box @param {Node|string|null} button @param {HTMLElement} maps */
export function drawCheck(box, button, maps) {
  const hadFocus = box.contains(document.activeElement);
  fill(box, button);
  box.hidden = !button;
  if (!hadFocus) return;
  const next = button ?? maps.querySelector('#effects [tabindex="0"]');
  if (next instanceof HTMLElement) next.focus();
}

/** What stands in place of effects that are not known. @param {import("./result.js").Reading} reading @param {string} n how many words @param {string} unit @param {() => void} measure */
export function insteadOfEffects({ now, waiting, isChecked }, n, unit, measure) {
  const press = { type: "button", id: "measure", onclick: measure };
  if (!isChecked) return now.words.length ? h("button", press, `Check by removing each ${unit}`) : null;
  if (waiting === "refused") return "Not known.";
  if (now.words.length <= BY_ITSELF || waiting === "asked")
    return now.words.length ? `Measuring the effect of each of ${n} …` : "";
  return h("button", press, `Measure the effect of each of ${n}`);
}
