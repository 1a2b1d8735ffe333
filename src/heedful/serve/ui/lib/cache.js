// Answers that were had before, so that undo is at once.

const MOST = 40;

/**
 * Ask for explanations, each once. `effects` says whether leave-one-out was asked for.
 * @param {{post: Function}} api
 */
export function makeExplainer(api) {
  const had = new Map();
  return {
    /** What was had already, or undefined. @param {object} body */
    known: (body) => had.get(JSON.stringify(body)),
    /** @param {{methods: string[]}} body @param {AbortSignal} signal @returns {Promise<any>} */
    async ask(body, signal) {
      const key = JSON.stringify(body);
      if (!had.has(key)) {
        const { data } = await api.post("explain", body, { signal });
        if (had.size >= MOST) had.delete(had.keys().next().value);
        had.set(key, { ...data[0], effects: body.methods.length > 0 });
      }
      return had.get(key);
    },
  };
}
