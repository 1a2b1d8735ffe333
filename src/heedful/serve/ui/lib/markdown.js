// The Markdown of model cards as elements: headings, paragraphs, lists, tables, code. Anything else stays text.

import { h } from "./dom.js";

const LONGEST = 5000; // characters of a line or paragraph: a longer one is plain text, so that no card can hold the page up
const WHOLE = 60_000; // characters of a card
const LINK = /^https?:\/\//i; // no other scheme becomes a link
// No pattern here has two parts that can take the same characters: a line of thousands would be tried for minutes.

/** @param {string} source @param {number} below the level that `#` becomes @returns {DocumentFragment} */
export function markdown(source, below = 3) {
  const lines = source
    .slice(0, WHOLE)
    .replace(/^\ufeff?---\n[\s\S]*?\n---\n/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const out = document.createDocumentFragment();
  let at = 0;
  while (at < lines.length) {
    const [block, next] = blockAt(lines, at, below);
    if (block) out.append(block);
    at = Math.max(next, at + 1);
  }
  if (source.length > WHOLE)
    out.append(h("p", { class: "soft" }, "The card goes on: see README.md in the model's folder."));
  return out;
}

/** @typedef {[Node|null, number]} Block  and the line after it */
/** @typedef {(mark: string, from: number) => number} Finder */
/** @typedef {{node?: Node, end: number}|null} Mark */

/** The block that begins at a line. @param {string[]} lines @param {number} at @param {number} below @returns {Block} */
function blockAt(lines, at, below) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  if (line.length > LONGEST) return [h("p", {}, line), at + 1];
  const fence = /^\s*(```+|~~~+)/.exec(line);
  if (fence) return fenced(lines, at, fence[1]);
  const heading = /^(#{1,6})\s/.exec(line);
  if (heading)
    return [
      h(
        /** @type {"h6"} */ (`h${Math.min(6, heading[1].length + below - 1)}`),
        {},
        inline(withoutEnd(line.slice(heading[1].length).trim())),
      ),
      at + 1,
    ];
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(line.replace(/\s/g, ""))) return [h("hr"), at + 1];
  if (isTable(lines, at)) return table(lines, at);
  if (itemOf(line)) return list(lines, at);
  const end = endOf(lines, at + 1, (l, i) => Boolean(l.trim()) && !startsBlock(lines, i));
  return [h("p", {}, inline(lines.slice(at, end).join(" "))), end];
}

/** @param {string[]} lines @param {number} at @param {string} mark @returns {Block} */
function fenced(lines, at, mark) {
  const end = endOf(lines, at + 1, (l) => !l.trim().startsWith(mark));
  return [h("pre", { tabindex: "0" }, lines.slice(at + 1, end).join("\n")), end + 1];
}

/** What a list's line says: its number, where it has one, and its text. @param {string} line @returns {{number: string|undefined, text: string}|null} */
function itemOf(line) {
  const mark = /^(?:[-*+]|(\d+)[.)])\s/.exec(line.trimStart());
  return mark && { number: mark[1], text: line.trimStart().slice(mark[0].length).trim() };
}

/** A heading without the marks that may close it. @param {string} title */
function withoutEnd(title) {
  let end = title.length;
  while (title[end - 1] === "#") end -= 1;
  return title.slice(0, end).trimEnd();
}

/** @param {string[]} lines @param {number} at */
const isLong = (lines, at) => lines[at].length > LONGEST || (lines[at + 1] ?? "").length > LONGEST;
/** @param {string[]} lines @param {number} at */
const isTable = (lines, at) =>
  lines[at].includes("|") && !isLong(lines, at) && cellsOf(lines[at + 1] ?? "").every((c) => /^:?-+:?$/.test(c));
/** @param {string[]} lines @param {number} at */
const startsBlock = (lines, at) =>
  lines[at].length > LONGEST ||
  /^(#{1,6}\s|\s*(```|~~~))/.test(lines[at]) ||
  Boolean(itemOf(lines[at])) ||
  isTable(lines, at);

/** @param {string[]} lines @param {number} from @param {(line: string, at: number) => boolean} goesOn */
function endOf(lines, from, goesOn) {
  let end = from;
  while (end < lines.length && goesOn(lines[end], end)) end += 1;
  return end;
}

/** @param {string[]} lines @param {number} at @returns {Block} */
function list(lines, at) {
  /** @type {string[][]} */
  const items = [];
  const isOrdered = Boolean(itemOf(lines[at])?.number);
  let end = at;
  while (end < lines.length && lines[end].trim() && lines[end].length <= LONGEST) {
    const item = itemOf(lines[end]);
    if (item) items.push([item.text]);
    else if (/^\s+\S/.test(lines[end])) items.at(-1)?.push(lines[end].trim());
    else break;
    end += 1;
  }
  return [
    h(
      isOrdered ? "ol" : "ul",
      {},
      items.map((item) => h("li", {}, inline(item.join(" ")))),
    ),
    end,
  ];
}

/** @param {string} line */
const cellsOf = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((c) => c.trim().replaceAll("\\|", "|"));

/** @param {string[]} lines @param {number} at @returns {Block} */
function table(lines, at) {
  const right = cellsOf(lines[at + 1]).map((c) => /-:$/.test(c));
  const end = endOf(lines, at + 2, (l) => l.trim() !== "" && l.includes("|"));
  const row = (/** @type {string} */ line, /** @type {"td"|"th"} */ tag) =>
    h(
      "tr",
      {},
      cellsOf(line).map((c, i) => h(tag, { class: right[i] ? "n" : null }, inline(c))),
    );
  const body = lines.slice(at + 2, end).map((line) => row(line, "td"));
  return [
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      h("table", {}, h("thead", {}, row(lines[at], "th")), h("tbody", {}, body)),
    ),
    end,
  ];
}

/** @param {string} text @returns {(Node|string)[]} */
function inline(text) {
  if (text.length > LONGEST) return [text];
  const next = finder(text);
  /** @type {(Node|string)[]} */
  const parts = [];
  let done = 0;
  let at = 0;
  while (at < text.length) {
    const mark = markAt(text, at, next);
    if (mark?.node) {
      if (at > done) parts.push(text.slice(done, at));
      parts.push(mark.node);
      done = mark.end;
    }
    at = mark?.end ?? at + 1;
  }
  return done < text.length ? [...parts, text.slice(done)] : parts;
}

/** Where a mark comes next; each is looked for from left to right, and never again once there is no more. @param {string} text @returns {Finder} */
function finder(text) {
  /** @type {Map<string, number>} */
  const known = new Map();
  return (mark, from) => {
    const last = known.get(mark);
    if (last === -1 || (last !== undefined && last >= from)) return last;
    const at = text.indexOf(mark, from);
    known.set(mark, at);
    return at;
  };
}

/**
 * What begins at a position: an element and where it ends; without an element, how far nothing begins.
 * @param {string} text @param {number} at @param {Finder} next @returns {Mark}
 */
function markAt(text, at, next) {
  const c = text[at];
  if (c === "`") return codeAt(text, at, next);
  if (c === "*") return starAt(text, at, next);
  return c === "[" ? linkAt(text, at, next) : null;
}

/** @param {string} text @param {number} at @param {Finder} next @returns {Mark} */
function codeAt(text, at, next) {
  let open = at;
  while (text[open] === "`") open += 1;
  const mark = text.slice(at, open);
  const close = next(mark, open + 1);
  if (close < 0) return { end: open };
  const code = text.slice(open, close);
  return { node: h("code", {}, code.trim() || code), end: close + mark.length };
}

/** @param {string} text @param {number} at @param {Finder} next @returns {Mark} */
function starAt(text, at, next) {
  if (text[at + 1] === "*") {
    const close = next("**", at + 3);
    return close < 0 ? { end: at + 2 } : { node: h("strong", {}, inline(text.slice(at + 2, close))), end: close + 2 };
  }
  const close = next("*", at + 1);
  if (close < 0 || !text[at + 1]?.trim()) return null;
  return { node: h("em", {}, inline(text.slice(at + 1, close))), end: close + 1 };
}

/** @param {string} text @param {number} at @param {Finder} next @returns {Mark} */
function linkAt(text, at, next) {
  const middle = next("](", at + 1);
  if (middle < 0 || text.slice(at + 1, middle).includes("]")) return null;
  const close = next(")", middle + 2);
  const target = close < 0 ? "" : text.slice(middle + 2, close);
  if (!target || /[(\s]/.test(target)) return null;
  const name = text.slice(at + 1, middle);
  return LINK.test(target)
    ? { node: h("a", { href: target, rel: "noopener noreferrer" }, name || target), end: close + 1 }
    : { end: close + 1 };
}
