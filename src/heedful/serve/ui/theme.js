// Before anything is drawn, so that the page does not flash in the other theme.
(() => {
  try {
    const theme = localStorage.getItem("heedful-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // storage is closed: the system's theme it is
  }
})();
