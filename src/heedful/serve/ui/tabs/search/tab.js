// Search: texts of an index by words and by meaning, and the words that made them hits.

import { ApiError, newest } from "../../lib/api.js";
import { chooser, count, debounce, empty, fill, h, trouble } from "../../lib/dom.js";
import { filterHelp } from "./filter.js";
import { hitView } from "./hit.js";

/** @typedef {import("../../app.js").App} App */
/** @typedef {import("../../lib/types.js").Hit} Hit */

const WAIT = 300; // ms after the last key
const [FEW, MOST] = [10, 100]; // hits
const [BOTH, MEANING] = ["both", "meaning"];

/** @type {Record<string, string>} how to read the score */
const ACCOUNTS = {
  both: "The number is the sum of a part for words of the query that are in the text (underlined), by how rare they are, and a part for similar meaning (blue).",
  words: "The number is the share of the query's words that are in the text (underlined), by how rare they are.",
  meaning: "The number is their similarity to the query, 1 at most; blue words contribute to it.",
};
const OLD = " This index was made by an older heedful and is searched by meaning; rebuild it to search by words too.";

export const tab = {
  id: "search",
  title: "Search",
  fits: (/** @type {App} */ { indexes }) => indexes.length > 0,
  empty: () =>
    empty(
      "No index is served",
      h("p", {}, "Make one from a file of texts, and start the server with it:"),
      h(
        "pre",
        { tabindex: "0" },
        h(
          "code",
          {},
          "heedful index reviews.csv -o reviews.index --text review\nheedful serve en-base --index reviews=reviews.index",
        ),
      ),
    ),
  mount,
};

/** @param {HTMLElement} root @param {App} app */
function mount(root, app) {
  const state = app.state.of("search");
  const latest = newest();
  const later = debounce(ask, WAIT);
  const index = () => app.indexes.find(({ id }) => id === state.get("index")) ?? app.indexes[0];
  /** @param {string} key @returns {(event: Event) => void} */
  const typed = (key) => (event) => {
    state.set({ [key]: /** @type {HTMLInputElement} */ (event.target).value });
    later();
  };
  const way = () => (index().has_words ? state.get("by", BOTH) : MEANING);
  const query = h("input", {
    id: "query",
    type: "search",
    dir: "auto",
    autocomplete: "off",
    placeholder: "in your own words",
    oninput: typed("query"),
  });
  const where = h("input", {
    id: "where",
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "optional: a condition on a column",
    "aria-describedby": "where-trouble",
    oninput: typed("where"),
  });
  const n = h("input", { id: "search-n", type: "number", min: "1", max: String(MOST), step: "1", oninput: typed("n") });
  const wrong = h("div", { id: "where-trouble" });
  const help = h("div");
  const summary = h("p", { class: "soft", id: "search-said" });
  const hits = h("ol", { id: "hits", "aria-label": "Hits" });
  const result = h("div", {}, summary, hits);

  /** @param {string} filter */
  function put(filter) {
    const joined = where.value.trim() ? `${where.value.trim()} AND ${filter}` : filter;
    where.value = joined;
    state.set({ where: joined }, { push: true });
    ask();
    where.focus();
  }

  async function ask() {
    later.stop();
    fill(wrong);
    where.removeAttribute("aria-invalid");
    /** @type {{index: string, query: string, n: number, by: string, words: boolean, where?: string}} */
    const asked = {
      index: index().id,
      by: way(),
      query: query.value.trim(),
      n: Math.min(MOST, Math.max(1, Math.round(Number(n.value)) || FEW)),
      words: true,
    };
    if (where.value.trim()) asked.where = where.value.trim();
    if (!asked.query) {
      latest.stop();
      return show(
        false,
        `${count(index().rows, "text")} in this index. Write what you are looking for, in any words.`,
        [],
      );
    }
    show(true);
    try {
      /** @type {{data: Hit[], model: string, by: string}|undefined} */
      const answer = await latest((signal) => app.api.post("search", asked, { signal }));
      if (!answer) return;
      const none = asked.where ? "No text passes this filter." : "No text matches.";
      show(
        false,
        answer.data.length
          ? `${count(answer.data.length, "hit")} of ${count(index().rows, "text")}, the best first. ${ACCOUNTS[answer.by] ?? ""}${index().has_words ? "" : OLD}`
          : none,
        answer.data.map((hit) => hitView(hit, { app, query: asked.query, model: answer.model, by: answer.by })),
      );
      app.announce(answer.data.length ? `${count(answer.data.length, "hit")}.` : none);
    } catch (error) {
      const { param = "", message = "" } = error instanceof ApiError ? error : {};
      if (asked.where && /filter|where|column/i.test(`${param} ${message}`)) {
        where.setAttribute("aria-invalid", "true");
        fill(wrong, trouble(error));
        return show(false, "", []);
      }
      show(false, trouble(error), []);
    }
  }

  /** @param {boolean} isBusy @param {string|Node} [text] @param {Node[]} [list] */
  function show(isBusy, text, list) {
    result.classList.toggle("busy", isBusy);
    result.setAttribute("aria-busy", String(isBusy));
    if (list === undefined) return;
    fill(summary, text);
    fill(hits, list);
    hits.hidden = !list.length;
  }

  function restore() {
    query.value = state.get("query");
    where.value = state.get("where");
    n.value = state.get("n", String(FEW));
    const select = /** @type {HTMLSelectElement|null} */ (root.querySelector("#search-index"));
    if (select) select.value = index().id;
    const ways = /** @type {HTMLSelectElement|null} */ (root.querySelector("#search-by"));
    if (ways) [ways.value, ways.disabled] = [way(), !index().has_words];
    fill(help, filterHelp(index().columns, put));
    ask();
  }

  const pick = chooser({
    id: "search-index",
    label: "Index",
    options: app.indexes.map(({ id }) => [id, id]),
    value: index().id,
    onchange: (id) => (state.set({ index: id }, { push: true }), restore()),
  });
  const by = chooser({
    id: "search-by",
    label: "By",
    options: [
      [BOTH, "words and meaning"],
      ["words", "words"],
      [MEANING, "meaning"],
    ],
    value: way(),
    onchange: (value) => (state.set({ by: value }, { push: true }), ask()),
  });
  root.addEventListener(
    "keydown",
    (event) =>
      event.key === "Enter" && [query, where, n].includes(/** @type {HTMLInputElement} */ (event.target)) && ask(),
  );
  fill(
    root,
    h(
      "section",
      { class: "card", role: "search", "aria-label": "Search" },
      h(
        "div",
        { class: "head" },
        h("h2", {}, "Search"),
        app.indexes.length > 1
          ? h("div", { class: "end" }, pick)
          : h("span", { class: "soft end" }, "Index ", h("b", {}, app.indexes[0].id)),
      ),
      h("label", { class: "field tall" }, h("span", {}, "What to look for"), query),
      h(
        "div",
        { class: "row search-more" },
        h("label", { class: "field grow" }, h("span", {}, "Filter"), where),
        by,
        h("label", { class: "field" }, h("span", {}, "Hits"), n),
      ),
      wrong,
      help,
    ),
    result,
  );
  state.listen(restore);
  restore();
}
