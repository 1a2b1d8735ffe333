// State as a link: #read?model=reviews&text=... Each tab has its own names; what stands at its default is left out.

const LONGEST = 6000; // characters of one value: longer ones are left out of the link
const LEFT_OUT = "left-out"; // the name under which a link says so
const WRITE_AFTER = 250; // ms: browsers refuse hundreds of changes a minute

/** @typedef {Record<string, string>} Values */
/** @typedef {ReturnType<typeof makeState>} State */
/** @typedef {ReturnType<State["of"]>} TabState  the values of one tab */

/** The hash for a tab and its values. @param {string} tab @param {Values} values */
export function toHash(tab, values) {
  const kept = Object.entries(values).filter(([, v]) => v !== "" && v.length <= LONGEST);
  const long = Object.keys(values).filter((name) => values[name].length > LONGEST);
  if (long.length) kept.push([LEFT_OUT, long.join(",")]);
  const query = new URLSearchParams(kept).toString().replaceAll("%2C", ",");
  return `#${tab}${query ? `?${query}` : ""}`;
}

/** @param {string} hash @returns {{tab: string, values: Values, leftOut: string[]}} */
export function fromHash(hash) {
  const [tab, ...rest] = hash.replace(/^#/, "").split("?");
  const values = Object.fromEntries(new URLSearchParams(rest.join("?")));
  const leftOut = (values[LEFT_OUT] ?? "").split(",").filter(Boolean);
  delete values[LEFT_OUT];
  return { tab, values, leftOut };
}

/**
 * @param {string[]} tabs the names that a link may have
 * @param {(leftOut: string[]) => void} onLink told what the link of now leaves out
 */
export function makeState(tabs, onLink) {
  /** @type {Record<string, Values>} */
  const all = Object.fromEntries(tabs.map((tab) => [tab, {}]));
  /** @type {Record<string, (() => void)[]>} */
  const listeners = Object.fromEntries(tabs.map((tab) => [tab, []]));
  /** @type {((tab: string) => void)[]} */
  const tabListeners = [];
  let tab = "";
  let leftOut = /** @type {string[]} */ ([]);
  let timer = 0;
  let seen = location.hash; // the address as it was last read or written

  /** @param {boolean} push */
  function write(push) {
    clearTimeout(timer);
    if (location.hash !== seen) return; // changed by hand or by Back, and its event is on the way: it is not ours to undo
    const hash = toHash(tab, all[tab]);
    if (hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", hash);
    seen = location.hash;
    leftOut = fromHash(hash).leftOut;
    onLink(leftOut);
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(() => write(false), WRITE_AFTER);
  }

  /** Take over what the address says; a value that its link left out is kept if we still have it. */
  function read() {
    const said = fromHash(location.hash);
    seen = location.hash;
    if (!tabs.includes(said.tab)) return false;
    clearTimeout(timer);
    const kept = said.leftOut.filter((name) => name in all[said.tab]).map((name) => [name, all[said.tab][name]]);
    tab = said.tab;
    all[tab] = { ...said.values, ...Object.fromEntries(kept) };
    leftOut = said.leftOut;
    onLink(leftOut.filter((name) => name in all[tab]));
    return true;
  }

  const moved = () => {
    if (!read()) return;
    tabListeners.forEach((tell) => tell(tab));
    listeners[tab].forEach((tell) => tell());
  };
  addEventListener("hashchange", moved);

  return {
    get tab() {
      return tab;
    },
    /** What the link of now does not hold, being too long for it. */
    get leftOut() {
      return leftOut;
    },
    /** Begin with the link, or with `first`. @param {string} first */
    start(first) {
      if (read()) return;
      tab = first;
      write(false);
    },
    /** Go to a tab, with a step that Back undoes; `values` are set on the way. @param {string} name @param {Values} [values] */
    go(name, values = {}) {
      const same = name === tab && !Object.keys(values).length;
      if (same) return;
      write(false); // first what was typed before
      tab = name;
      Object.assign(all[name], values);
      write(true);
      tabListeners.forEach((tell) => tell(tab));
      if (Object.keys(values).length) listeners[name].forEach((tell) => tell());
    },
    /** @param {(tab: string) => void} tell */
    onTab: (tell) => tabListeners.push(tell),
    /** The link to what is seen now. */
    link() {
      write(false);
      return location.href;
    },
    /** The values of one tab. @param {string} name */
    of(name) {
      return {
        /** @param {string} key */
        get: (key, fallback = "") => all[name][key] ?? fallback,
        /** A list of whole numbers, such as "1,4". @param {string} key @returns {number[]} */
        numbers: (key) =>
          (all[name][key] ?? "")
            .split(",")
            .filter((s) => /^\d{1,6}$/.test(s))
            .map(Number),
        /**
         * Set values ("" takes one away). `push`: a step that Back undoes; for what is typed, leave it.
         * @param {Values} values @param {{push?: boolean}} [how]
         */
        set(values, { push = false } = {}) {
          if (push && tab === name) write(false); // first what was typed before
          for (const [key, value] of Object.entries(values)) {
            if (value === "") delete all[name][key];
            else all[name][key] = String(value);
          }
          if (tab === name) push ? write(true) : later();
        },
        /** Told when Back, Forward or a pasted link changed the values. @param {() => void} tell */
        listen: (tell) => listeners[name].push(tell),
      };
    },
  };
}
