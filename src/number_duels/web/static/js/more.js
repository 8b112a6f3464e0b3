/** A menu of controls that few people need, behind three dots. */

import { h } from "./dom.js";

/** @param {...Child} content */
export const more = (...content) => h("details", { class: "few" }, h("summary", { class: "button quiet", "aria-label": "More", title: "More" }, "…"), h("div", {}, content));

/** Close every open menu but the one that is used: by a switch, or by the dots that close it. */
addEventListener("click", ({ target }) => {
  for (const menu of document.querySelectorAll(".few[open]")) if (!(target instanceof Element) || !menu.contains(target) || target.closest("a, button")) menu.removeAttribute("open");
});
addEventListener("keydown", (event) => {
  const menu = document.querySelector(".few[open]");
  if (event.key !== "Escape" || !menu || document.querySelector("dialog[open]")) return;
  // Escape means nothing else then.
  event.stopImmediatePropagation();
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
}, { capture: true });
