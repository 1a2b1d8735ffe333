// Model: what it is, its card, its metrics, how reliable its heatmaps are, what drives its labels, how to call it.

import { newest } from "../../lib/api.js";
import { hopAtlas } from "./atlas.js";
import { snippetsCard } from "./snippets.js";
import { wordsCard } from "./words.js";
import { count, empty, fill, h, number, trouble, withCode } from "../../lib/dom.js";
import { markdown } from "../../lib/markdown.js";
import { visible } from "../../lib/visible.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {Record<string, any>} Card  what the folder says, which may be anything */

/** @type {Record<string, string>} */
const TASKS = {
  classify: "A classifier: a text goes in, a label with probabilities comes out.",
  regress: "A regressor: a text goes in, a number comes out.",
  embed: "An encoder: a text goes in, a vector comes out, and texts of similar meaning have vectors that are close.",
  tag: "A tagger: a text goes in, a label for each of its words comes out.",
  pair: "A model of pairs: two texts go in, an answer about both comes out.",
  translate: "A translator: a text goes in, a text in another language comes out.",
};
const CHECKS = [
  ["comprehensiveness", "Fall without its top words", "comprehensiveness; more is better"],
  ["sufficiency", "Fall with them alone", "sufficiency; less is better"],
  ["needed_beyond_chance", "Beyond random words", "above 0 is better than chance"],
];
/** @type {Record<string, string>} */
const METRICS = {
  accuracy: "share of answers that were right",
  macro_f1: "precision and recall in one, each label counted alike",
  loss: "what training made as small as it could",
  agreement: "whether it finds the same pairs of texts alike as its teacher does; at most 1",
  cosine: "how near its vectors are to its teacher's; at most 1",
  r2: "how much of the differences it explains; at most 1",
  mae: "how far off it is on average",
  rmse: "how far off it is, large errors counted more",
};
const MOST_LABELS = 24;

export const tab = {
  id: "model",
  title: "Model",
  fits: (/** @type {App} */ app) => app.models.length > 0,
  empty: () =>
    empty(
      "No model is served here",
      h("p", {}, "Start the server with one, or with the encoder that comes with heedful:"),
      h("pre", {}, "heedful serve en-base"),
    ),
  mount,
};

/** @param {HTMLElement} root @param {App} app */
function mount(root, app) {
  const own = app.state.of("model");
  const chosen = app.modelField("model", () => true, draw);
  const ask = newest();
  const body = h("div", {});
  const title = h("h2", { id: "model-name" });
  const about = h("div", {});
  fill(
    root,
    h("section", { class: "card" }, h("div", { class: "head" }, title, h("div", { class: "end" }, chosen.node)), about),
    body,
  );

  async function draw() {
    const model = chosen.now();
    title.textContent = visible(model.id);
    fill(about, h("p", {}, TASKS[model.task] ?? model.task), labelsOf(model), factsOf(model, null));
    try {
      const card = await ask((signal) => app.api.get(`card?model=${encodeURIComponent(model.id)}`, { signal }));
      if (!card) return;
      fill(about, h("p", {}, TASKS[model.task] ?? model.task), labelsOf(model), factsOf(model, card));
      fill(
        body,
        part(() => reliability(card, model)),
        part(() => wordsCard(card.words)),
        part(() => metricsOf(card)),
        snippetsCard(model, app.api.hasKey()),
        model.n_hops > 1 ? part(() => hopAtlas(card.hops, model.id)) : null,
        part(() => cardOf(card)),
      );
    } catch (error) {
      fill(body, trouble(error), snippetsCard(model, app.api.hasKey()));
    }
  }
  own.listen(() => (chosen.refresh(), draw()));
  draw();
}

/** A part of the card, or a word about it where the folder holds something else than it should. @param {() => Node|null} draw */
function part(draw) {
  try {
    return draw();
  } catch {
    return trouble("A part of this model's card cannot be shown: its folder holds something that is not understood.");
  }
}

/** @param {Model} model */
function labelsOf(model) {
  if (!model.labels.length || model.task === "embed") return null;
  const more = model.labels.length - MOST_LABELS;
  const chips = model.labels.slice(0, MOST_LABELS).map((label) => h("li", { class: "chip", dir: "auto" }, label));
  return h(
    "ul",
    { class: "row labels", "aria-label": model.task === "regress" ? "Number" : "Labels" },
    chips,
    more > 0 ? h("li", { class: "soft" }, `and ${more} more`) : null,
  );
}

/** @param {Model} model @param {Card|null} card */
function factsOf(model, card) {
  /** @type {([string, string|number]|null)[]} */
  const facts = [
    ["encoder", model.encoder],
    model.n_hops ? ["hops", model.n_hops] : null,
    model.n_layers ? ["layers × heads", `${model.n_layers} × ${model.n_heads}`] : null,
    model.vector_width ? ["vector", `${model.vector_width.toLocaleString("en")} numbers`] : null,
    [
      "reads",
      `${model.input === "text" ? "texts" : `${model.input}s`}, at most ${model.max_tokens.toLocaleString("en")} tokens`,
    ],
    card ? ["size", `${(card.bytes / 1e6).toFixed(1)} MB`] : null,
    card ? ["made by", `heedful ${card.heedful}`] : null,
  ];
  return h(
    "dl",
    { class: "facts" },
    facts.map((fact) => fact && h("div", {}, h("dt", {}, fact[0]), h("dd", {}, fact[1]))),
  );
}

/** The verdict, and what the audit measured. @param {Card} card @param {Model} model */
function reliability(card, model) {
  const { level, words } = card.verdict;
  const box = h(
    "div",
    { class: level === "better" ? "verdict calm" : "verdict", id: "model-verdict" },
    withCode(words),
  );
  if (model.task === "embed" && !card.audit) return null;
  const section = h("section", { class: "card" }, h("h2", {}, "How reliable are its heatmaps?"), box);
  if (!card.audit && model.task !== "classify") return section;
  if (!card.audit) {
    section.append(
      h("p", { class: "soft" }, "To test it on your own labelled texts:"),
      h("pre", { tabindex: "0" }, `heedful audit ${model.id} texts.tsv`),
    );
    return section;
  }
  section.append(...audited(card.audit));
  return section;
}

/** @param {Record<string, any>} audit */
function audited(audit) {
  const interval = (/** @type {{mean: number, low: number, high: number}|null} */ i) =>
    i ? [number(i.mean, 2), " ", h("span", { class: "soft" }, `${number(i.low, 2)} to ${number(i.high, 2)}`)] : "–";
  const head = CHECKS.map(([, name, how]) =>
    h("th", { scope: "col" }, name, h("br"), h("span", { class: "soft" }, how)),
  );
  const rows = Object.entries(audit.methods ?? {}).map(([name, method]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      CHECKS.map(([key]) =>
        h("td", {}, name === "random" && key === "needed_beyond_chance" ? "–" : interval(method[key])),
      ),
    ),
  );
  const accuracy =
    audit.accuracy === null || audit.accuracy === undefined ? "" : ` Accuracy on them: ${number(audit.accuracy, 3)}.`;
  const leftOut = Object.entries(audit.left_out ?? {}).map(([check, why]) => h("li", {}, `${check}: ${why}`));
  return [
    h(
      "p",
      { class: "soft" },
      `Measured on ${count(audit.n_texts, "text")} of ${audit.file}; how far the probability of the answer falls.${accuracy}`,
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Audit" },
      h(
        "table",
        { class: "audit" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Words chosen by"), head)),
        h("tbody", {}, rows),
      ),
    ),
    leftOut.length ? h("details", {}, h("summary", {}, "Left out"), h("ul", { class: "soft" }, leftOut)) : null,
  ].filter((node) => node !== null);
}

/** @param {Card} card */
function metricsOf(card) {
  const metrics = Object.entries(card.figures ?? {}).filter(
    ([, value]) => typeof value === "number" || typeof value === "string",
  );
  if (!metrics.length) return null;
  const written = (/** @type {string|number} */ value) =>
    typeof value !== "number"
      ? value
      : Number.isInteger(value)
        ? value.toLocaleString("en")
        : Math.abs(value) >= 0.0005
          ? number(value, 3)
          : value.toPrecision(2);
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Metrics"),
    h("p", { class: "soft" }, "Measured on the validation set."),
    h(
      "table",
      { id: "figures" },
      h(
        "tbody",
        {},
        metrics.map(([name, value]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, name.replaceAll("_", " ")),
            h("td", { class: "n" }, written(value)),
            h("td", { class: "soft" }, METRICS[name] ?? ""),
          ),
        ),
      ),
    ),
  );
}

/** @param {Card} card */
function cardOf(card) {
  if (!card.readme) return null;
  const text = h("div", { class: "prose", id: "card-text" });
  text.append(markdown(card.readme));
  return h("section", { class: "card" }, h("h2", {}, "Model card"), text);
}
