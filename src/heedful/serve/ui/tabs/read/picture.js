// The picture of the thing itself, where the input is not a text: a molecule's atoms and bonds, shaded as its words are.

import { newest } from "../../lib/api.js";
import { fill, h } from "../../lib/dom.js";

/** @param {HTMLElement} root @param {import("../../lib/api.js").Api} api */
export function makeDrawing(root, api) {
  const alone = newest();
  let url = "";
  const forget = () => {
    if (url) URL.revokeObjectURL(url);
    url = "";
  };
  return {
    clear() {
      alone.stop();
      forget();
      fill(root);
    },
    /** @param {object} body what to explain @param {string} alt what a screen reader says of it */
    async draw(body, alt) {
      const picture = await alone((signal) => api.blob("explain", { ...body, form: "svg" }, { signal })).catch(
        () => undefined,
      );
      if (!picture) return; // the heatmap of its letters says the same
      forget();
      url = URL.createObjectURL(picture);
      fill(root, h("img", { class: "drawn", src: url, alt }));
    },
  };
}
