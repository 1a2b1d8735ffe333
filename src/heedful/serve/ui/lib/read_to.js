// How far a model read.

/**
 * Where it stopped, in code points: what stands after its last word has words of its own. Undefined where it read all.
 * @param {{text: string, words: {end: number}[]}} read
 */
export function readTo({ text, words }) {
  const end = words.at(-1)?.end;
  if (end === undefined) return undefined;
  return /[\p{L}\p{N}]/u.test(Array.from(text).slice(end).join("")) ? end : undefined;
}
