// Vectors as strips of colour whose numbers show under the pointer or by arrow keys, and as tables.

import { h, number } from "./dom.js";
import { shade } from "./heat.js";

/** The largest size of any number in some vectors, by which all are coloured. @param {number[][]} rows */
export const sizeOf = (rows) =>
  rows.reduce((most, row) => row.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0) || 1;

/** One vector. @param {number[]} values @param {{size: number, name: string, big?: boolean}} about */
export function vector(values, { size, name, big = false }) {
  const numbers = values.map((x, i) => shade(h("i", { "data-n": `${i + 1}: ${number(x)}` }), x / size, true));
  const strip = h(
    "span",
    {
      class: big ? "vec big" : "vec",
      role: "slider",
      tabindex: "0",
      dir: "ltr",
      "aria-label": `${name}, ${values.length} numbers`,
      "aria-readonly": "true",
      "aria-valuemin": 1,
      "aria-valuemax": values.length,
      style: { "--n": values.length },
    },
    numbers,
  );
  const go = (/** @type {number} */ to) => {
    strip.dataset.i = String(to);
    strip.setAttribute("aria-valuenow", String(to + 1));
    strip.setAttribute("aria-valuetext", `number ${to + 1}: ${number(values[to])}`);
  };
  const point = () => {
    numbers.forEach((each, i) => each.classList.toggle("at", i === Number(strip.dataset.i)));
    numbers[Number(strip.dataset.i)].dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); // shows its number
  };
  go(0);
  strip.addEventListener("focus", () => strip.matches(":focus-visible") && queueMicrotask(point));
  strip.addEventListener("blur", () => numbers.forEach((each) => each.classList.remove("at")));
  strip.addEventListener("keydown", (event) => {
    const at = Number(strip.dataset.i);
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: values.length - 1 };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(Math.min(values.length - 1, Math.max(0, to)));
    point();
  });
  return strip;
}

/** Make all strips in a box one stop of the tab key: up and down go from one to the next. @param {HTMLElement} box */
export function roveStrips(box) {
  const strips = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".vec")]);
  strips.forEach((strip, i) => (strip.tabIndex = i ? -1 : 0));
  box.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const at = strips.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = at >= 0 && step ? strips[at + step] : undefined;
    if (!to) return;
    event.preventDefault();
    strips[at].tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
  return box;
}

/** All numbers, made when they are asked for. @param {string} said @param {{name: string, values: number[]}[]} rows */
export function allNumbers(said, rows) {
  const box = h("details", {}, h("summary", {}, said));
  box.addEventListener("toggle", () => box.open && box.childElementCount === 1 && box.append(numbersTable(said, rows)));
  return box;
}

/** @param {string} said @param {{name: string, values: number[]}[]} rows */
function numbersTable(said, rows) {
  const size = sizeOf(rows.map(({ values }) => values));
  const heads = rows[0].values.map((_, i) => h("th", { scope: "col", class: "n" }, i + 1));
  const body = rows.map(({ name, values }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, name),
      values.map((x) => shade(h("td", { class: "c" }, number(x)), (0.75 * x) / size, true)),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": said },
    h("table", { class: "cells" }, h("thead", {}, h("tr", {}, h("td"), heads)), h("tbody", {}, body)),
  );
}

/**
 * A matrix as one picture: a layer of the background for each row. @param {number[][]} shades from −1 to 1
 * @param {{label?: string, wide: number, high: number, marked?: number, isSigned?: boolean}} about size of a cell in px
 */
export function block(shades, { label, wide, high, marked = -1, isSigned = false }) {
  const rows = shades.map(
    (row) =>
      `linear-gradient(to right, ${row.map((s, j) => `${colour(s, isSigned)} ${j * wide}px ${(j + 1) * wide}px`).join(", ")})`,
  );
  const el = h("span", {
    class: "block",
    role: label ? "img" : null,
    "aria-label": label,
    "aria-hidden": label ? null : "true",
  });
  el.style.width = `${(shades[0]?.length ?? 0) * wide}px`;
  el.style.height = `${shades.length * high}px`;
  el.style.backgroundImage = rows.join(", ");
  el.style.backgroundSize = `100% ${high}px`;
  el.style.backgroundPosition = shades.map((_, i) => `0 ${i * high}px`).join(", ");
  const frame = h("i", { style: { height: `${high}px` } });
  /** Put a frame around a row (−1: none). @param {number} row */
  const mark = (row) => {
    frame.hidden = row < 0;
    frame.style.top = `${row * high}px`;
  };
  el.append(frame);
  mark(marked);
  return { el, mark };
}

/** @param {number} s @param {boolean} isSigned */
function colour(s, isSigned) {
  const kind = !isSigned ? "--heat" : s < 0 ? "--against" : "--for";
  return `color-mix(in srgb, var(${kind}) ${Math.min(100, Math.abs(s) * 100).toFixed(0)}%, transparent)`;
}
