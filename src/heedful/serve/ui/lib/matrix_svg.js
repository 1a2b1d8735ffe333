// A matrix between words as a picture: SVG from the numbers, PNG from the SVG.

import { h, number, trouble } from "./dom.js";
import { download } from "./download.js";
import { short } from "./truncate.js";
import { visible } from "./visible.js";

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const SIDE = 38; // px of a cell
const [HEAT, FOR, AGAINST] = [
  [168, 124, 220],
  [86, 160, 214],
  [240, 150, 74],
];
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";

/**
 * @typedef {object} Picture
 * @property {string} title
 * @property {string[]} rows @property {string[]} columns
 * @property {number[][]} numbers @property {number[][]} shades from 0 to 1, or from −1 to 1
 * @property {boolean} [isSigned] @property {number} [marked] a row with a frame
 */

/** The picture is always light: it is for paper as much as for a screen. @param {Picture} picture */
export function matrixSvg({ title, rows, columns, numbers, shades, isSigned = false, marked = -1 }) {
  const [sides, heads] = [rows, columns].map((words) => words.map((word) => short(word, 18)));
  const [left, above] = [sides, heads].map((names) => 20 + Math.max(...names.map(lengthOf)));
  const top = above + 34;
  const width = Math.ceil(Math.max(left + SIDE * heads.length + 16, 28 + lengthOf(title) * 1.1));
  const height = Math.ceil(top + SIDE * sides.length + 16);
  const cells = numbers.flatMap((row, i) =>
    row.map((x, j) => cell(left + j * SIDE, top + i * SIDE, x, shades[i][j], isSigned)),
  );
  const names = sides.map((name, i) =>
    label(left - 8, top + (i + 0.5) * SIDE, name, `text-anchor="end"${i === marked ? ' font-weight="700"' : ""}`),
  );
  const tops = heads.map(
    (name, j) =>
      `<g transform="translate(${left + (j + 0.5) * SIDE} ${top - 8}) rotate(-90)">${label(0, 0, name, "")}</g>`,
  );
  const edge = `x="${left}" y="${top + marked * SIDE}" width="${SIDE * heads.length}" height="${SIDE}"`;
  const frame = marked < 0 ? "" : `<rect ${edge} fill="none" stroke="#1b1f24" stroke-width="2"/>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${FONT}" font-size="13" fill="#1b1f24"><title>${escaped(title)}</title><rect width="100%" height="100%" fill="#ffffff"/>` +
    [label(12, 22, title, 'font-weight="600"'), ...tops, ...names, ...cells, frame, "</svg>"].join("")
  );
}

/** @param {number} x @param {number} y @param {number} value @param {number} shade @param {boolean} isSigned */
function cell(x, y, value, shade, isSigned) {
  const [r, g, b] = (!isSigned ? HEAT : shade < 0 ? AGAINST : FOR).map((c) =>
    Math.round(255 + (c - 255) * Math.min(1, Math.abs(shade))),
  );
  const under =
    isSigned && shade < 0
      ? `<rect x="${x + 1}" y="${y + SIDE - 3}" width="${SIDE - 2}" height="2" fill="#9a4a00"/>`
      : "";
  return (
    `<rect x="${x + 0.5}" y="${y + 0.5}" width="${SIDE - 1}" height="${SIDE - 1}" rx="2" fill="rgb(${r},${g},${b})" stroke="#e6e9ed" ` +
    `stroke-width=".5"/>${under}<text x="${x + SIDE / 2}" y="${y + SIDE / 2}" dy=".35em" text-anchor="middle" ` +
    `font-size="${isSigned ? 10 : 11}">${number(value, isSigned ? 3 : 2)}</text>`
  );
}

/** @param {number} x @param {number} y @param {string} text @param {string} more attributes */
const label = (x, y, text, more) => `<text x="${x}" y="${y}" dy=".35em" ${more}>${escaped(text)}</text>`;

/** About how many px a name takes: characters of East Asia are twice as wide. @param {string} name */
const lengthOf = (name) => [...name].reduce((sum, c) => sum + ((c.codePointAt(0) ?? 0) >= 0x1100 ? 13.5 : 7.3), 0);

/** Text in XML: marks are written out; U+FFFD stands for what XML does not allow. @param {string} text */
const escaped = (text) =>
  visible(text)
    .replace(/[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"]/g, (c) => ENTITIES[c]);

/** @param {string} svg @returns {Promise<Blob>} */
async function pngOf(svg, scale = 2) {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * scale, image.height * scale];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) =>
      canvas.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error("This picture is too large for the browser. Save it as SVG."))),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Buttons that save a matrix. @param {string} name of the file @param {() => Picture} picture @param {string} what a screen reader calls it */
export function matrixSaves(name, picture, what = "the matrix") {
  const said = h("span", { class: "said" });
  /** @typedef {(svg: string) => Promise<Blob>} Make */
  const save = async (/** @type {string} */ form, /** @type {Make} */ make) => {
    said.replaceChildren();
    try {
      download(await make(matrixSvg(picture())), `${name}.${form}`);
    } catch (error) {
      said.replaceChildren(trouble(error));
    }
  };
  const button = (/** @type {string} */ form, /** @type {Make} */ make) =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": `Save ${what} as ${form.toUpperCase()}`,
        onclick: () => save(form, make),
      },
      form.toUpperCase(),
    );
  return h(
    "div",
    { class: "saves", role: "group", "aria-label": `Save ${what}` },
    h("span", { class: "soft" }, "Save"),
    button("svg", async (svg) => new Blob([svg], { type: "image/svg+xml" })),
    button("png", pngOf),
    said,
  );
}
