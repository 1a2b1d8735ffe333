// Answers that were had before, so that undo is at once.

const MOST = 40;

/** @typedef {import("./types.js").Explanation & {effects: boolean}} Known  an explanation, with effects or without */

/**
 * Ask for explanations, each once. `effects` says whether leave-one-out was asked for.
 * @param {import("./api.js").Api} api
 */
export function makeExplainer(api) {
  /** @type {Map<string, Known>} */
  const had = new Map();
  return {
    /** What was had already, or undefined. @param {object} body */
    known: (body) => had.get(JSON.stringify(body)),
    /** @param {{model: string, input: string, label?: string, methods: string[]}} body @param {AbortSignal} signal @returns {Promise<Known>} */
    async ask(body, signal) {
      const key = JSON.stringify(body);
      if (!had.has(key)) {
        const { data } = await api.post("explain", { ...body, view: true }, { signal });
        if (had.size >= MOST) had.delete(had.keys().next().value ?? "");
        had.set(key, { ...data[0], effects: body.methods.length > 0 });
      }
      return /** @type {Known} */ (had.get(key));
    },
  };
}
