// The numbers of one head for the word that is followed. The server sends q, k and v of all tokens; the six steps follow from them.

/**
 * @typedef {object} Facts
 * @property {any} data what the server sent
 * @property {number} word the word that is followed
 * @property {number} at its first token
 * @property {number} nPieces tokens that it has
 * @property {string[]} names of the tokens
 * @property {number[]} shown tokens that have a row, in reading order
 * @property {number[]} scores @property {number[]} scaled @property {number[]} weights
 * @property {number[][]} weighted @property {number[]} summed
 * @property {boolean} hasJoined whether the server's joined vector is this word's
 * @property {number} best the token with most weight
 */

const MOST = 40; // words in a table

/** @param {any} data @param {number} word @returns {Facts} */
export function factsOf(data, word) {
  const pieces = tokensOf(data, word);
  const at = pieces[0] ?? data.token;
  const own = at === data.token ? data : followed(data, at);
  return {
    data,
    word,
    at,
    nPieces: pieces.length,
    names: namesOf(data),
    shown: shownOf(own.weights, at),
    scores: own.scores,
    scaled: own.scaled,
    weights: own.weights,
    weighted: own.weighted,
    summed: own.summed,
    hasJoined: at === data.token,
    best: own.weights.indexOf(Math.max(...own.weights)),
  };
}

/** The six steps for any token, by the server's q, k and v. */
function followed({ q, k, v, d_k }, at) {
  const scores = k.map((key) => key.reduce((sum, x, i) => sum + x * q[at][i], 0));
  const scaled = scores.map((score) => score / Math.sqrt(d_k));
  const top = Math.max(...scaled);
  const powers = scaled.map((score) => Math.exp(score - top));
  const total = powers.reduce((a, b) => a + b, 0);
  const weights = powers.map((power) => power / total);
  const weighted = v.map((value, j) => value.map((x) => x * weights[j]));
  return {
    scores,
    scaled,
    weights,
    weighted,
    summed: weighted[0].map((_, i) => weighted.reduce((sum, row) => sum + row[i], 0)),
  };
}

/** The tokens of a word, by where they stand. */
function tokensOf({ words, tokens }, word) {
  const { start, end } = words[word] ?? { start: -1, end: -1 };
  return tokens.map((_, i) => i).filter((i) => tokens[i].start >= start && tokens[i].end <= end);
}

/** Tokens as they are shown: one that goes on a word has a dot before it. */
function namesOf({ words, tokens }) {
  const starts = new Set(words.map(({ start }) => start));
  return tokens.map(({ text, start }) => (starts.has(start) ? "" : "·") + text);
}

/** Of many, the one that is followed and those with most weight, in reading order. @param {number[]} weights */
export function shownOf(weights, at, most = MOST) {
  const all = weights.map((_, i) => i);
  if (all.length <= most) return all;
  const order = all.filter((i) => i !== at).sort((a, b) => weights[b] - weights[a] || a - b);
  return [at, ...order.slice(0, most - 1)].sort((a, b) => a - b);
}

/** The places of the largest. @param {number[]} weights */
export const topOf = (weights, n = 3) =>
  weights
    .map((_, i) => i)
    .sort((a, b) => weights[b] - weights[a] || a - b)
    .slice(0, n);

/** Where one word looks, the mean over all layers and heads. @param {number[][][][]} looks @param {number} word */
export function meanLooks(looks, word) {
  const rows = looks.flat().map((head) => head[word]);
  return rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
}
