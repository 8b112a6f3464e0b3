// Not a module: it runs before the first paint, so that a chosen theme does not flash.
(() => {
  const KEY = "duels-theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");
  /** If the browser keeps no data, the theme lasts as long as the page. */
  const recalled = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const kept = recalled(KEY);
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;

  // For a returning visitor, reserve room for their own games on the front page.
  const own = recalled("duels-own");
  if (own) {
    root.dataset.known = "";
    root.style.setProperty("--own", own);
  }

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const label = () => {
      button.textContent = current() === "dark" ? "Light theme" : "Dark theme";
    };
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      label();
      try {
        localStorage.setItem(KEY, root.dataset.theme);
      } catch {
        // The theme changes, but is not stored.
      }
    });
    dark.addEventListener("change", label);
    label();
  });
})();
