// Not a module: it runs before the first paint, so that a chosen theme does not flash.
(() => {
  const KEY = "duels-theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset.theme ?? (dark.matches ? "dark" : "light");

  const kept = localStorage.getItem(KEY);
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) return;
    const label = () => {
      button.textContent = current() === "dark" ? "Light theme" : "Dark theme";
    };
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      localStorage.setItem(KEY, root.dataset.theme);
      label();
    });
    dark.addEventListener("change", label);
    label();
  });
})();
