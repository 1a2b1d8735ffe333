// The page: tabs, the link, the theme, the key, and what every tab is given.

import { makeApi } from "./lib/api.js";
import { copy, empty, fill, h, trouble } from "./lib/dom.js";
import { showTips } from "./lib/heat.js";
import { saveButtons } from "./lib/download.js";
import { makeState } from "./lib/state.js";
import { visible } from "./lib/visible.js";

const TABS = ["read", "compare", "steps", "search", "model"];
/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @typedef {import("./lib/types.js").Model} Model */
/** @typedef {typeof app} App  what every tab is given */

const state = makeState(TABS, (leftOut) => {
  const note = $("link-note");
  note.hidden = !leftOut.length;
  note.textContent = leftOut.length
    ? `The ${leftOut.join(" and the ")} is too long for a link: a copied link will leave it out.`
    : "";
});
const api = makeApi(askForKey);
const app = {
  /** @type {Model[]} */ models: [],
  /** @type {import("./lib/types.js").Index[]} */ indexes: [],
  state,
  api,
  /** @param {Parameters<typeof saveButtons>[1]} about */
  save: (about) => saveButtons(api, about),
  announce,
  modelField,
};

/** Tell a screen reader. @param {string} message */
function announce(message) {
  const live = $("live");
  const text = visible(message);
  live.textContent = live.textContent === text ? `${text}\u00a0` : text; // the same words are said again only if they differ
}

/**
 * The choice of a model for a tab, among those that can be asked for `does`; nothing to choose from one.
 * @param {string} tab @param {(model: Model) => boolean} fits @param {() => void} changed
 */
function modelField(tab, fits, changed) {
  const own = state.of(tab);
  const models = app.models.filter(fits);
  const now = () => models.find((m) => m.id === own.get("model")) ?? models[0];
  const select = h(
    "select",
    { id: `${tab}-model`, onchange: () => (own.set({ model: select.value }, { push: true }), changed()) },
    models.map((m) => h("option", { value: m.id }, m.id)),
  );
  const label = h("label", { class: "field", hidden: models.length < 2 }, h("span", {}, "Model"), select);
  const note = h("span", { class: "soft missing" });
  const refresh = () => {
    const asked = own.get("model");
    const isMissing = Boolean(asked) && asked !== now()?.id;
    note.textContent = isMissing
      ? `There is no model ${visible(asked.slice(0, 80))} for this here; this is ${visible(now()?.id ?? "")}. `
      : "";
    select.value = now()?.id ?? "";
  };
  select.addEventListener("change", refresh);
  refresh();
  const only = models.length === 1 ? h("span", { class: "soft" }, "Model ", h("b", {}, models[0].id)) : null;
  return { node: h("span", { class: "choice" }, note, label, only), now, refresh };
}

/** @param {boolean} wrong whether a key was refused @returns {Promise<string|null>} */
function askForKey(wrong) {
  const dialog = /** @type {HTMLDialogElement} */ ($("key-dialog"));
  const input = /** @type {HTMLInputElement} */ ($("key"));
  $("key-note").textContent = wrong
    ? "The server refused that key. Try another."
    : "It is kept until you close this tab, and sent to this server only.";
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "ok" ? input.value.trim() || null : null), {
      once: true,
    });
  });
}

// Tabs -----------------------------------------------------------------------------------------------------------------

/** @type {Set<string>} */
const mounted = new Set();

/** @param {string} name */
async function show(name) {
  for (const tab of TABS) {
    const chosen = tab === name;
    $(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
    $(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
    $(`panel-${tab}`).hidden = !chosen;
  }
  document.title = `${$(`tab-${name}`).textContent} · heedful`;
  if (mounted.has(name)) return;
  mounted.add(name);
  const panel = $(`panel-${name}`);
  try {
    const { tab } = await import(`./tabs/${name}/tab.js`);
    if (tab.fits(app)) tab.mount(panel, app);
    else
      fill(
        panel,
        tab.empty?.(app) ??
          empty(`${tab.title} has nothing to show`, h("p", {}, "No model that is served here can be asked for this.")),
      );
  } catch (error) {
    mounted.delete(name);
    console.error(error);
    fill(panel, trouble("This part of the page could not be loaded. Reload the page to try again."));
  }
}

function tabsByKeys() {
  for (const tab of TABS) $(`tab-${tab}`).addEventListener("click", () => state.go(tab));
  document.querySelector('[role="tablist"]')?.addEventListener("keydown", (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    const at = TABS.indexOf(state.tab);
    const to = step
      ? (at + step + TABS.length) % TABS.length
      : key === "Home"
        ? 0
        : key === "End"
          ? TABS.length - 1
          : -1;
    if (to < 0) return;
    event.preventDefault();
    state.go(TABS[to]);
    $(`tab-${TABS[to]}`).focus();
  });
  state.onTab(show);
}

/** The tab to begin with: the first that has something to show. */
function firstTab() {
  const can = (/** @type {string} */ what) => app.models.some((m) => m.does.includes(what));
  const reads = app.models.some((m) => m.does.includes("explain") && ["classify", "regress"].includes(m.task));
  return reads
    ? "read"
    : can("similarity")
      ? "compare"
      : can("steps")
        ? "steps"
        : app.indexes.length
          ? "search"
          : "model";
}

// Theme ----------------------------------------------------------------------------------------------------------------

function themes() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  const button = $("theme");
  const say = () => {
    const other = now() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "Dark" : "Light";
    button.setAttribute("aria-label", `${button.textContent} theme`);
  };
  button.addEventListener("click", () => {
    root.dataset.theme = now() === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("heedful-theme", root.dataset.theme);
    } catch {
      // storage is closed: it holds until the page is left
    }
    say();
  });
  dark.addEventListener("change", say);
  say();
}

// Start ----------------------------------------------------------------------------------------------------------------

async function start() {
  themes();
  showTips();
  tabsByKeys();
  $("copy-link").addEventListener("click", () => (copy($("copy-link"), state.link()), announce("The link is copied.")));
  $("skip").addEventListener("click", (event) => (event.preventDefault(), $("main").focus()));
  try {
    const [models, indexes] = await Promise.all([api.get("v1/models"), api.get("indexes")]);
    app.models = models.data;
    app.indexes = indexes.data;
  } catch (error) {
    const again = h("button", { type: "button", onclick: () => location.reload() }, "Try again");
    fill($("trouble"), trouble(error), h("p", {}, again));
    return;
  }
  state.start(firstTab());
  await show(state.tab);
}

start();
