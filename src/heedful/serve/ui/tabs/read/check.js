// What is asked for: contributions to a label at once, leave-one-out with a button; by itself if there are no contributions.

import { fill, h } from "../../lib/dom.js";

export const BY_ITSELF = 300; // words: leave-one-out of longer texts waits for a press

/** @typedef {import("../../lib/cache.js").Known} Known */

/** What is drawn of the contributions to a label; null if there is nothing. @param {Known} known @param {string} label */
export const labelView = ({ view: { contributions } }, label) =>
  contributions && Object.hasOwn(contributions, label) ? contributions[label] : null;

/**
 * The contributions to many labels come at once; a label that is not among them is asked for.
 * @param {ReturnType<typeof import("../../lib/cache.js").makeExplainer>} explainer @param {{model: string, input: string}} body
 * @param {string} label the one chosen, or "" @param {boolean} isSum whether the model has contributions @param {AbortSignal} signal
 */
export async function askLabel(explainer, body, label, isSum, signal) {
  const plain = { ...body, methods: [] };
  if (label && !isSum) return explainer.ask({ ...plain, label }, signal);
  const known = await explainer.ask(plain, signal);
  return !label || labelView(known, label) ? known : explainer.ask({ ...plain, label }, signal);
}

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
