// Texts to begin with.

import { h } from "../../lib/dom.js";

/** @type {Record<string, string[]>} */
const EXAMPLES = {
  text: [
    "I did not expect to like it, but the staff were kind and it came on time.",
    "Lovely people in the shop, but the app took my money and the parcel never came.",
    "Not bad at all: it looked cheap in the picture, and now I use it every day.",
  ],
  molecule: ["CC(=O)Oc1ccccc1C(=O)O", "CN1C=NC2=C1C(=O)N(C(=O)N2C)C"],
};

/** @param {import("../../lib/types.js").Model} model @returns {string[]} */
export function examplesFor(model) {
  if (model.input === "text" && !model.is_english) return [];
  return EXAMPLES[model.input] ?? EXAMPLES.text;
}

/** A button for each. @param {import("../../lib/types.js").Model} model @param {(example: string) => void} take */
export function offersFor(model, take) {
  const offers = examplesFor(model).map((example) =>
    h("button", { type: "button", class: "chip", dir: "auto", onclick: () => take(example) }, example),
  );
  return offers.length ? [h("span", { class: "soft" }, "Try"), ...offers] : [];
}
