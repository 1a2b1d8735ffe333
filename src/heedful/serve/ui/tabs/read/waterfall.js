// A score as a sum: a bar for each part, which starts where the one before it ends.

import { h } from "../../lib/dom.js";

/** @typedef {import("../../lib/types.js").Waterfall} Waterfall */
/** @typedef {import("../../lib/types.js").WaterfallBar} Bar */

/**
 * @param {Waterfall} fall
 * @param {string} label whose score it is
 * @param {string} total the same sum in one line
 * @param {(word: number) => number|undefined} place of a word in the text that is shown
 */
export const waterfallOf = (fall, label, total, place) =>
  h(
    "figure",
    { class: "fall" },
    h(
      "figcaption",
      {},
      h("b", {}, fall.result ? "Score of " : "", h("em", { dir: "auto" }, label)),
      h("span", { class: "soft about" }, fall.about),
    ),
    h(
      "table",
      { class: "waterfall", "aria-label": total },
      h(
        "tbody",
        {},
        fall.bars.map((bar) => row(bar, fall.zero, place)),
      ),
    ),
    fall.result ? h("p", { class: "result" }, "→ ", h("b", { class: "figure" }, fall.result)) : null,
    fall.account ? h("p", { class: "soft" }, fall.account) : null,
  );

/** @param {Bar} bar @param {number|null} zero @param {(word: number) => number|undefined} place */
function row(bar, zero, place) {
  const words = bar.words.map(place).filter((at) => at !== undefined);
  return h(
    "tr",
    { class: bar.kind, data: words.length ? { at: words.join(",") } : {} },
    h(
      "th",
      { scope: "row" },
      h("bdi", {}, bar.name),
      bar.times > 1 ? h("span", { class: "soft" }, ` × ${bar.times}`) : null,
    ),
    h(
      "td",
      { class: "track" },
      zero === null ? null : h("span", { class: "zero", style: { left: `${zero}%` } }),
      h("span", { class: `step ${bar.sign}`, style: { left: `${bar.left}%`, width: `${bar.width}%` } }),
    ),
    h("td", { class: "n" }, bar.number),
  );
}
