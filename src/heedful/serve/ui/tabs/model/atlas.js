// What each hop reads over many texts: its words, whether it chooses among words, where its weight goes.

import { count, h, number } from "../../lib/dom.js";
import { places, shade } from "../../lib/heat.js";
import { visible } from "../../lib/visible.js";

/** @typedef {import("../../lib/types.js").AtlasHop} Hop */
/** @typedef {import("../../lib/types.js").AtlasWord} AtlasWord */

/** @type {Record<string, string>} */
const STATES = {
  alive: "chooses among words",
  even: "reads nearly every word alike",
  first: "reads the first word, whatever the text",
  last: "reads the last word, whatever the text",
  ends: "reads the first and the last word, whatever the text",
};
const WORDS = 10;
const LABELS = 8;

/** @param {import("../../lib/types.js").Atlas|null} atlas @param {string} id the model's */
export function hopAtlas(atlas, id) {
  const card = h("section", { class: "card", id: "atlas" }, h("h2", {}, "What its hops read"));
  if (!atlas) {
    card.append(
      h(
        "p",
        {},
        "Nobody has looked yet at what each hop of this model reads over many texts. This does, and keeps it beside the model:",
      ),
      h("pre", { tabindex: "0" }, `heedful hops ${id} texts.tsv --keep`),
    );
    return card;
  }
  card.append(
    h(
      "p",
      { class: "soft" },
      `Over ${count(atlas.n_texts, "text")} of ${atlas.file}. The words that each hop favours, darkest those that get most beyond an even share of its weight. Spread: 0 is all on one word, 1 is all words alike.`,
    ),
    ...atlas.notes.map((note) => h("p", { class: "note soft" }, `${note[0].toUpperCase()}${note.slice(1)}.`)),
    h("p", {}, atlas.suggestion),
    h(
      "ol",
      { class: "hops" },
      atlas.hops.map((hop) => oneHop(hop, atlas.labels_are)),
    ),
  );
  return card;
}

/** @param {Hop} hop @param {string} labelsAre */
function oneHop(hop, labelsAre) {
  const focus = hop.entropy === null ? "" : `spread ${number(hop.entropy, 2)}; `;
  const unknown = hop.shares.unknown >= 0.005 ? `, ${percent(hop.shares.unknown)} on unknown words` : "";
  const shares = `${percent(hop.shares.words)} of its weight on words, ${percent(hop.shares.marks)} on marks${unknown}`;
  return h(
    "li",
    { data: { atlas: String(hop.number) } },
    h("b", {}, `Hop ${hop.number}`),
    h(
      "div",
      { class: "look" },
      chips(hop.words),
      h("p", { class: "soft" }, `${STATES[hop.state] ?? hop.state}; ${focus}${shares}`),
      more(hop, labelsAre),
    ),
  );
}

/** @param {number|null} share */
const percent = (share) => `${Math.round((share ?? 0) * 100)} %`;

/** @param {AtlasWord[]} words */
function chips(words) {
  const shown = words.slice(0, WORDS);
  const top = Math.max(1, ...shown.map((w) => w.lift));
  const chip = (/** @type {AtlasWord} */ word) =>
    shade(
      h(
        "bdi",
        { class: "w chip-word", data: { n: `${number(word.lift, 1)} × its even share, ${count(word.count, "time")}` } },
        word.word,
      ),
      word.lift / top,
    );
  return h(
    "p",
    { class: "chips", dir: "auto" },
    shown.length
      ? shown.map((word) => [chip(word), " "])
      : h("span", { class: "soft" }, "no word often enough to tell"),
  );
}

/** @param {Hop} hop @param {string} labelsAre */
function more(hop, labelsAre) {
  const seen = hop.words.flatMap((word) => word.places.slice(0, 1)).slice(0, 3);
  if (!seen.length && !hop.by_label.length) return null;
  const whose = labelsAre === "predicted" ? "In texts that the model calls" : "In texts labelled";
  return h(
    "details",
    {},
    h("summary", {}, "Examples", hop.by_label.length ? " and labels" : ""),
    seen.map(sighting),
    hop.by_label
      .slice(0, LABELS)
      .map((part) =>
        h(
          "div",
          { class: "part" },
          h("span", { class: "soft" }, `${whose} `, h("bdi", {}, part.label), ": "),
          chips(part.words.slice(0, 5)),
        ),
      ),
  );
}

/** A passage of a text, its words shaded by the hop's weights. @param {import("../../lib/types.js").Sighting} place */
function sighting(place) {
  const at = places(place.text);
  const line = h("p", { class: "text small", dir: "auto" }, place.is_start ? null : "… ");
  let done = 0;
  place.spans.forEach(([start, end], i) => {
    line.append(
      visible(place.text.slice(done, at(start))),
      shade(
        h("span", { class: "w", data: { n: number(place.weights[i], 3) } }, place.text.slice(at(start), at(end))),
        place.shades[i],
      ),
    );
    done = at(end);
  });
  line.append(visible(place.text.slice(done)), place.is_end ? "" : " …");
  return line;
}
