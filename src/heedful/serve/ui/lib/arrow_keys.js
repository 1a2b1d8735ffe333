// Arrow keys inside a list or a grid that is one stop of the tab key.

/** @type {Record<string, number>} */
const NEXT = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
/** @type {Record<string, [number, number]>} */
const STEP = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/** Move among the items of a list, in the order in which they are read. @param {HTMLElement} box @param {HTMLElement[]} items */
export function roveList(box, items, first = 0) {
  items.forEach((item, i) => (item.tabIndex = i === first ? 0 : -1));
  box.addEventListener("keydown", (event) => {
    const at = items.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const rtl = getComputedStyle(box).direction === "rtl" && event.key.match(/Left|Right/) ? -1 : 1;
    const to = event.key === "Home" ? 0 : event.key === "End" ? items.length - 1 : at + rtl * (NEXT[event.key] ?? NaN);
    go(event, items, items[to]);
  });
}

/** Move among the cells of a grid. @param {HTMLElement} box @param {HTMLElement[][]} rows */
export function roveGrid(box, rows, first = [0, 0]) {
  const all = rows.flat();
  all.forEach((cell) => (cell.tabIndex = -1));
  if (rows[first[0]]?.[first[1]]) rows[first[0]][first[1]].tabIndex = 0;
  box.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const i = rows.findIndex((row) => row.includes(target));
    if (i < 0 || event.metaKey || event.altKey) return;
    const j = rows[i].indexOf(target);
    const step = STEP[event.key];
    if (step) go(event, all, rows[i + step[0]]?.[j + step[1]]);
    else if (event.key === "Home") go(event, all, event.ctrlKey ? all[0] : rows[i][0]);
    else if (event.key === "End") go(event, all, event.ctrlKey ? all.at(-1) : rows[i].at(-1));
  });
}

/** @param {KeyboardEvent} event @param {HTMLElement[]} items @param {HTMLElement|undefined} to */
function go(event, items, to) {
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  items.forEach((item) => (item.tabIndex = -1));
  to.tabIndex = 0;
  to.focus();
}
