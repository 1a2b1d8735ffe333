// Help with filters: the columns of an index, what they hold, and conditions to begin with.

import { h } from "../../lib/dom.js";
import { short } from "../../lib/truncate.js";

/** @type {Record<string, string>} */
const EXAMPLE = { number: ">= 4", "yes or no": "= TRUE", text: "LIKE '%a%'" };

/** @param {Record<string, string>} columns names and kinds @param {(filter: string) => void} put use a condition */
export function filterHelp(columns, put) {
  const names = Object.keys(columns);
  if (!names.length) return h("p", { class: "soft" }, "This index has no columns to filter by.");
  const rows = names.map((name) => {
    const condition = `${written(name)} ${EXAMPLE[columns[name]] ?? EXAMPLE.text}`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, short(name, 40)),
      h("td", {}, columns[name]),
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Add the condition ${condition}`,
            onclick: () => put(condition),
          },
          h("code", {}, condition),
        ),
      ),
    );
  });
  return h(
    "details",
    {},
    h("summary", {}, `How to filter by ${names.length === 1 ? "its column" : `its ${names.length} columns`}`),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Columns" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["column", "holds", "for example"].map((title) => h("th", { scope: "col" }, title)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      "Conditions: = != < <= > >=, IN (…), BETWEEN … AND …, LIKE 'a%', IS NULL, joined by AND, OR and NOT. Texts stand in single " +
        "quotes, column names with spaces in double ones.",
    ),
  );
}

/** @param {string} name */
const written = (name) => (/^[^\W\d]\w*$/u.test(name) ? name : `"${name}"`);
