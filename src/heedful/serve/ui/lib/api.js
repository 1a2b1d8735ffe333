// Asking the server: the key, the wait when it is busy, errors in plain words.

const BASE = new URL(".", document.baseURI);
const KEY = "heedful-key";
const LONGEST_WAIT = 10; // seconds

/** What the server said was wrong. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status @param {string|null} [param] */
  constructor(message, status, param = null) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

/** The address of a path on this server, also behind a prefix. @param {string} path */
export const address = (path) => new URL(path.replace(/^\//, ""), BASE).href;

/** @typedef {ReturnType<typeof makeApi>} Api */

/** @param {(wrong: boolean) => Promise<string|null>} askForKey */
export function makeApi(askForKey) {
  /** @type {Promise<string|null>|null} */
  let asking = null; // one dialog, however many requests wait for it
  let closed = 0; // how often the dialog was closed

  async function newKey() {
    const wrong = Boolean(stored());
    asking ??= askForKey(wrong).finally(() => {
      asking = null;
      closed += 1;
    });
    const key = await asking;
    if (key) store(key);
    return key;
  }

  /** @param {string} path @param {RequestInit} options @returns {Promise<Response>} */
  async function send(path, options, tries = { key: 2, busy: 1 }) {
    const used = stored();
    const closedBefore = closed;
    const headers = { ...options.headers, ...(used ? { Authorization: `Bearer ${used}` } : {}) };
    const response = await reach(path, { ...options, headers });
    if (response.ok) return response;
    if (response.status === 401 && tries.key) {
      const isDeclined = closed !== closedBefore; // while this request was under way: do not ask for the key again
      const changed = stored() !== used || (!isDeclined && (await newKey()));
      if (changed) return send(path, options, { ...tries, key: tries.key - 1 });
    }
    if (response.status === 429 && tries.busy) {
      const seconds = Number(response.headers.get("Retry-After")) || 1;
      await pause(Math.min(seconds, LONGEST_WAIT) * 1000, options.signal);
      return send(path, options, { ...tries, busy: tries.busy - 1 });
    }
    throw await wrong(response);
  }

  /** @typedef {{signal?: AbortSignal}} Options */
  /** @param {string} path @param {object} body @param {Options} [options] */
  const post = (path, body, { signal } = {}) =>
    send(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

  return {
    /** Whether a key is sent. */
    hasKey: () => Boolean(stored()),
    /** @param {string} path @param {Options} [options] @returns {Promise<any>} */
    get: async (path, { signal } = {}) => (await send(path, { signal })).json(),
    /** @param {string} path @param {object} body @param {Options} [options] @returns {Promise<any>} */
    post: async (path, body, options) => (await post(path, body, options)).json(),
    /** The same for a picture or page. @param {string} path @param {object} body @param {Options} [options] @returns {Promise<Blob>} */
    blob: async (path, body, options) => (await post(path, body, options)).blob(),
  };
}

/** Run one thing at a time: a new one ends the old, whose promise then gives undefined. */
export function newest() {
  let current = new AbortController();
  /** @template T @param {(signal: AbortSignal) => Promise<T>} work @returns {Promise<T|undefined>} */
  const run = async (work) => {
    current.abort();
    const mine = (current = new AbortController());
    try {
      const result = await work(mine.signal);
      return mine.signal.aborted ? undefined : result;
    } catch (error) {
      if (mine.signal.aborted) return undefined;
      throw error;
    }
  };
  run.stop = () => current.abort();
  return run;
}

/** @param {string} path @param {RequestInit} options */
async function reach(path, options) {
  try {
    return await fetch(address(path), options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new ApiError("The server cannot be reached. Is it still running?", 0);
  }
}

/** @param {Response} response */
async function wrong(response) {
  const content = await response.json().catch(() => null);
  const message = content?.error?.message ?? `The server answered ${response.status} ${response.statusText}.`;
  if (response.status === 429) return new ApiError(`The server is busy. ${message}`, 429);
  return new ApiError(message, response.status, content?.error?.param ?? null);
}

/** @param {number} ms @param {AbortSignal|null} [signal] */
const pause = (ms, signal) =>
  new Promise((done, stop) => {
    const timer = setTimeout(() => done(undefined), ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), stop(signal.reason)));
  });

function stored() {
  try {
    return sessionStorage.getItem(KEY) ?? memory;
  } catch {
    return memory;
  }
}

/** @type {string|null} */
let memory = null; // where storage is closed

/** @param {string} key */
function store(key) {
  memory = key;
  try {
    sessionStorage.setItem(KEY, key);
  } catch {
    // it stays in memory
  }
}
