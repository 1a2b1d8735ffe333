// A text without some of its words, and the way back from its words to those of the whole text.

import { places } from "../../lib/heat.js";

/** @typedef {import("../../lib/heat.js").Word} Word */

/** The text without words, with a space left where two would run together. @param {string} text @param {Word[]} words @param {Iterable<number>} removed */
export function textWithout(text, words, removed) {
  const place = places(text);
  let rest = "";
  let done = 0;
  for (const i of [...removed].sort((a, b) => a - b)) {
    if (!words[i]) continue;
    const [start, end] = [place(words[i].start), place(words[i].end)];
    rest += text.slice(done, start);
    if (isInWord(rest.at(-1)) && isInWord(text.at(end))) rest += " ";
    done = end;
  }
  return rest + text.slice(done);
}

/**
 * Numbers over all words of the whole text from an explanation of the text without some: null for those removed and for
 * those that the model no longer reads as it did.
 * @param {Word[]} words of the whole text
 * @param {Set<number>} removed
 * @param {Word[]} left the words of what is left
 * @param {(at: number) => (number|null|undefined)} value of a word that is left
 */
export function spread(words, removed, left, value) {
  let at = 0;
  return words.map((word, i) => {
    if (removed.has(i)) return null;
    const near = left.slice(at, at + 4).findIndex((other) => other.text === word.text);
    if (near < 0) return null;
    at += near + 1;
    return value(at - 1) ?? null;
  });
}

/** @param {string|undefined} letter */
const isInWord = (letter) => letter !== undefined && /[\p{L}\p{N}\p{M}]/u.test(letter);
