// Elements and numbers. Whatever a user or a model wrote goes in as text, never as markup, and nothing in it is hidden.

import { visible } from "./visible.js";

const READ_OUT = new Set(["title", "aria-label", "placeholder", "alt"]); // attributes that are shown, or read out

/**
 * Attributes and listeners of an element.
 * @typedef {Record<string, any> & {
 *   onclick?: (event: MouseEvent) => void,
 *   oninput?: (event: Event) => void,
 *   onchange?: (event: Event) => void,
 * }} Props
 */

/**
 * Make an element: h("button", { class: "quiet", onclick: go, "aria-pressed": "true" }, "Go", node, null).
 * Strings are text. `data` is a dataset, `style` custom properties; a value of null, undefined or false is left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...(Node|string|number|null|undefined|false|Array<any>)} children
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "data") Object.assign(el.dataset, value);
    else if (name === "style") for (const [key, v] of Object.entries(value)) el.style.setProperty(key, String(v));
    else if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden")
      Object.assign(el, { [name]: value });
    else el.setAttribute(name, value === true ? "" : READ_OUT.has(name) ? visible(String(value)) : String(value));
  }
  el.append(...nodes(children));
  return el;
}

/** @param {any[]} children */
const nodes = (children) =>
  children
    .flat(Infinity)
    .filter((c) => c !== null && c !== undefined && c !== false)
    .map((c) => (c instanceof Node ? c : visible(String(c))));

/** Replace what is in an element. @param {Element} el @param {...any} children */
export function fill(el, ...children) {
  el.replaceChildren(...nodes(children));
  return el;
}

/** A sentence whose names with an index, such as W_Q, are written as such. @param {string} said */
export const indexed = (said) =>
  said
    .split(/\b([A-Za-z]_[A-Za-z])\b/)
    .map((part, i) => (i % 2 ? h("span", { class: "indexed" }, h("var", {}, part[0]), h("sub", {}, part[2])) : part));

/** `code` between backticks becomes code. @param {string} said */
export const withCode = (said) => said.split(/`([^`]+)`/).map((part, i) => (i % 2 ? h("code", {}, part) : part));

/** A number with a true minus sign; `plus` where it is an effect. @param {number|null|undefined} value */
export function number(value, digits = 3, plus = false) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const shown = Math.abs(value).toFixed(digits);
  if (!Number(shown)) return shown;
  return value < 0 ? `−${shown}` : plus ? `+${shown}` : shown;
}

/** @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** A select with its label. @param {{id: string, label: string, options: [string, string][], value: string, onchange: (value: string) => void}} about */
export function chooser({ id, label, options, value, onchange }) {
  const select = h(
    "select",
    { id, onchange: () => onchange(select.value) },
    options.map(([v, said]) => h("option", { value: v }, said)),
  );
  select.value = value;
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** A button that copies what `text()` gives and says so. @param {string} said @param {() => string} text */
export function copyButton(said, text, props = /** @type {Props} */ ({})) {
  const button = h("button", { type: "button", class: "quiet", ...props }, said);
  button.addEventListener("click", () => copy(button, text()));
  return button;
}

/** Copy a text and say so on the button for a moment. @param {HTMLElement} button @param {string} text */
export async function copy(button, text) {
  const before = button.dataset.said ?? button.textContent ?? "";
  button.dataset.said = before;
  button.textContent = (await copied(text)) ? "Copied" : "Copy it by hand";
  setTimeout(() => (button.textContent = before), 1600);
}

/** @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = h("textarea", { class: "unseen", "aria-hidden": "true" }); // plain HTTP has no clipboard
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}

/** What went wrong, in place. @param {unknown} error */
export function trouble(error) {
  const said = error instanceof Error ? error.message : String(error);
  return h("p", { class: "remark", role: "alert" }, said.charAt(0).toUpperCase() + said.slice(1));
}

/** A helpful empty state: what is missing and how to get it. @param {string} title @param {...any} children */
export const empty = (title, ...children) => h("div", { class: "card empty" }, h("h2", {}, title), ...children);

/** Call `work` when nothing has been asked for `wait` ms. @param {() => void} work @param {number} wait */
export function debounce(work, wait) {
  let timer = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  };
  later.stop = () => clearTimeout(timer);
  return later;
}

/** The `data-key` of what has the focus in an element that is about to be drawn again. @param {Element} root */
export function focusedKey(root) {
  const { activeElement } = document;
  return root.contains(activeElement) && activeElement instanceof HTMLElement ? activeElement.dataset.key : undefined;
}

/** Give the focus back to it. @param {Element} root @param {string|undefined} key */
export function focusKey(root, key) {
  if (key) /** @type {HTMLElement|null} */ (root.querySelector(`[data-key="${key}"]`))?.focus();
}
