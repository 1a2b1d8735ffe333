// Choosing among weights.

/** The positions of the largest. @param {number[]} weights */
export const topOf = (weights, n = 3) =>
  weights
    .map((_, i) => i)
    .sort((a, b) => weights[b] - weights[a] || a - b)
    .slice(0, n);

/** Of many words, the followed one and those with most weight, in reading order. @param {number[]} weights @param {number} at @param {number} most */
export function shownOf(weights, at, most) {
  const all = weights.map((_, i) => i);
  if (all.length <= most) return all;
  const order = topOf(weights, all.length).filter((i) => i !== at);
  return [at, ...order.slice(0, most - 1)].sort((a, b) => a - b);
}
