// Pictures as files: the server draws them, the same that the command line writes.

import { h, trouble } from "./dom.js";

/** Give the browser a file to keep. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Buttons that save what the server draws for `body()`.
 * @param {import("./api.js").Api} api
 * @param {{path: string, body: () => object, name: string, forms?: string[], what?: string}} about
 */
export function saveButtons(api, { path, body, name, forms = ["svg", "png"], what = "picture" }) {
  const said = h("span", { class: "said" });
  const save = async (/** @type {string} */ form, /** @type {HTMLButtonElement} */ button) => {
    button.disabled = true;
    said.replaceChildren();
    try {
      download(await api.blob(path, { ...body(), form }), `${name}.${form}`);
    } catch (error) {
      said.replaceChildren(trouble(error));
    } finally {
      button.disabled = false;
    }
  };
  const buttons = forms.map((form) => {
    const button = h(
      "button",
      { type: "button", class: "quiet", "aria-label": `Save ${what} as ${form.toUpperCase()}` },
      form.toUpperCase(),
    );
    button.addEventListener("click", () => save(form, button));
    return button;
  });
  return h(
    "div",
    { class: "saves", role: "group", "aria-label": `Save ${what}` },
    h("span", { class: "soft" }, "Save"),
    buttons,
    said,
  );
}
