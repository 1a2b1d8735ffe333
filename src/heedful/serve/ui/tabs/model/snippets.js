// How to call a model: lines that run as they stand, with this server's own address.

import { address } from "../../lib/api.js";
import { copyButton, h } from "../../lib/dom.js";

const TEXT = "The parcel came two days late.";
/** @typedef {import("../../lib/types.js").Model} Model */
/** @typedef {{name: string, lines: string}} Snippet */

/** @param {unknown} value */
const py = (value) => JSON.stringify(value); // what JSON writes of texts and lists is Python too
/** @param {string} value */
const sh = (value) => `'${String(value).replaceAll("'", "'\\''")}'`;

/** @param {Model} model @param {boolean} hasKey @returns {Snippet[]} */
function snippetsFor(model, hasKey) {
  if (model.task === "embed")
    return [
      { name: "curl", lines: curl(model, "v1/embeddings", hasKey) },
      { name: "Python (openai)", lines: openai(model, hasKey) },
    ];
  const snippets = [
    { name: "curl", lines: curl(model, "predict", hasKey) },
    { name: "Python", lines: requests(model, "predict", hasKey) },
  ];
  if (model.does.includes("explain"))
    snippets.push({ name: "Python: explain", lines: requests(model, "explain", hasKey) });
  return snippets;
}

/** @param {Model} model */
const inputOf = (model) =>
  model.task === "pair" ? [["A man plays.", "Someone makes music."]] : model.input === "molecule" ? "CCO" : TEXT;

/** @param {Model} model @param {string} path @param {boolean} hasKey */
function curl(model, path, hasKey) {
  const key = hasKey ? ` \\\n  -H "Authorization: Bearer $HEEDFUL_KEY"` : "";
  return `curl -s ${sh(address(path))} -H 'Content-Type: application/json'${key} \\\n  -d ${sh(JSON.stringify({ model: model.id, input: inputOf(model) }))}`;
}

/** @param {Model} model @param {boolean} hasKey */
function openai(model, hasKey) {
  const key = hasKey ? 'os.environ["HEEDFUL_KEY"]' : '"none"';
  return `${hasKey ? "import os\n\n" : ""}from openai import OpenAI

client = OpenAI(base_url=${py(address("v1"))}, api_key=${key})
answer = client.embeddings.create(model=${py(model.id)}, input=[${py(TEXT)}])
print(answer.data[0].embedding[:5])`;
}

/** @param {Model} model @param {string} path @param {boolean} hasKey */
function requests(model, path, hasKey) {
  const key = hasKey ? `\n    headers={"Authorization": f"Bearer {os.environ['HEEDFUL_KEY']}"},` : "";
  const body = `{"model": ${py(model.id)}, "input": ${py(inputOf(model))}${path === "explain" ? ', "methods": ["leave-one-out"]' : ""}}`;
  const plain = path === "explain" && ["classify", "regress"].includes(model.task);
  const shown = plain
    ? `for word in answer.json()["data"][0]["words"]:\n    print(word["text"], word["weight"], word["leave_one_out"])`
    : `print(answer.json()["data"])`;
  return `${hasKey ? "import os\n\n" : ""}import requests

answer = requests.post(
    ${py(address(path))},
    json=${body},${key}
    timeout=30,
)
answer.raise_for_status()
${shown}`;
}

/** @param {Model} model @param {boolean} hasKey */
export function snippetsCard(model, hasKey) {
  const block = (/** @type {Snippet} */ { name, lines }) =>
    h(
      "div",
      { class: "way" },
      h(
        "div",
        { class: "head" },
        h("h3", {}, name),
        h(
          "div",
          { class: "end" },
          copyButton("Copy", () => lines, { "aria-label": `Copy ${name}` }),
        ),
      ),
      h("pre", { tabindex: "0" }, lines),
    );
  const note = hasKey
    ? h("p", { class: "soft" }, "Put your key into the variable ", h("code", {}, "HEEDFUL_KEY"), ".")
    : null;
  return h(
    "section",
    { class: "card", id: "calling" },
    h("h2", {}, "How to call it"),
    note,
    snippetsFor(model, hasKey).map(block),
    h("p", { class: "soft" }, "Everything else: ", h("a", { href: address("docs") }, "the API"), "."),
  );
}
