// The Markdown of model cards as elements: headings, paragraphs, lists, tables, code. Anything else stays text.

import { h } from "./dom.js";

const LONGEST = 5000; // characters of a line or paragraph: a longer one is plain text, so that no card can hold the page up
const WHOLE = 60_000; // characters of a card
const LINK = /^https?:\/\//i; // no other scheme becomes a link
const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|\*(?!\s)([^*]+?)\*|\[([^\]]*)\]\(([^()\s]+)\)/;

/** @param {string} source @param {number} below the level that `#` becomes @returns {DocumentFragment} */
export function markdown(source, below = 3) {
  const lines = source.slice(0, WHOLE).replace(/^\ufeff?---\n[\s\S]*?\n---\n/, "").replaceAll("\r\n", "\n").split("\n");
  const out = document.createDocumentFragment();
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at, below);
    if (block) out.append(block);
    at = Math.max(next, at + 1);
  }
  if (source.length > WHOLE) out.append(h("p", { class: "soft" }, "The card goes on: see README.md in the model's folder."));
  return out;
}

/** @returns {[Node|null, number]} the block that begins at a line, and the line after it */
function blockAt(lines, at, below) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (line.length > LONGEST) return [h("p", {}, line), at + 1];
  const fence = /^\s*(```+|~~~+)/.exec(line);
  if (fence) return fenced(lines, at, fence[1]);
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading) return [h(`h${Math.min(6, heading[1].length + below - 1)}`, {}, inline(heading[2])), at + 1];
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return [h("hr"), at + 1];
  if (isTable(lines, at)) return table(lines, at);
  if (itemOf(line)) return list(lines, at);
  const end = endOf(lines, at + 1, (l, i) => l.trim() && !startsBlock(lines, i));
  return [h("p", {}, inline(lines.slice(at, end).join(" "))), end];
}

function fenced(lines, at, mark) {
  const end = endOf(lines, at + 1, (l) => !l.trim().startsWith(mark));
  return [h("pre", { tabindex: "0" }, lines.slice(at + 1, end).join("\n")), end + 1];
}

const itemOf = (line) => /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/.exec(line);
const isLong = (lines, at) => lines[at].length > LONGEST || (lines[at + 1] ?? "").length > LONGEST;
const isTable = (lines, at) => lines[at].includes("|") && !isLong(lines, at) && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(lines[at + 1] ?? "") && lines[at + 1].includes("-");
const startsBlock = (lines, at) => lines[at].length > LONGEST || /^(#{1,6}\s|\s*(```|~~~))/.test(lines[at]) || Boolean(itemOf(lines[at])) || isTable(lines, at);

function endOf(lines, from, goesOn) {
  let end = from;
  while (end < lines.length && goesOn(lines[end], end)) end += 1;
  return end;
}

function list(lines, at) {
  const items = [];
  const isOrdered = Boolean(itemOf(lines[at])[1]);
  let end = at;
  while (end < lines.length && lines[end].trim() && lines[end].length <= LONGEST) {
    const item = itemOf(lines[end]);
    if (item) items.push([item[2]]);
    else if (/^\s+\S/.test(lines[end])) items.at(-1).push(lines[end].trim());
    else break;
    end += 1;
  }
  return [h(isOrdered ? "ol" : "ul", {}, items.map((item) => h("li", {}, inline(item.join(" "))))), end];
}

function table(lines, at) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((c) => c.trim().replaceAll("\\|", "|"));
  const right = cells(lines[at + 1]).map((c) => /-:$/.test(c));
  const end = endOf(lines, at + 2, (l) => l.trim() && l.includes("|"));
  const row = (line, tag) => h("tr", {}, cells(line).map((c, i) => h(tag, { class: right[i] ? "n" : null }, inline(c))));
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  return [h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" }, h("table", {}, h("thead", {}, row(lines[at], "th")), h("tbody", {}, body))), end];
}

/** @param {string} said @returns {(Node|string)[]} */
function inline(said) {
  if (said.length > LONGEST) return [said];
  const parts = [];
  let rest = said;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index) parts.push(rest.slice(0, found.index));
    parts.push(marked(found));
    rest = rest.slice(found.index + found[0].length);
  }
  return rest ? [...parts, rest] : parts;
}

function marked([whole, , code, strong, emphasis, name, target]) {
  if (code !== undefined) return h("code", {}, code.trim() || code);
  if (strong !== undefined) return h("strong", {}, inline(strong));
  if (emphasis !== undefined) return h("em", {}, inline(emphasis));
  return LINK.test(target) ? h("a", { href: target, rel: "noopener noreferrer" }, name || target) : whole;
}
