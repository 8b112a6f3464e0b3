/** Pictures of tiles that move above the board; nobody can touch or hear them. */

import { h } from "./dom.js";

/**
 * @param {Element} tile what it looks like, and where it starts
 * @param {string} [text]
 * @returns {HTMLElement}
 */
export function makeGhost(tile, text) {
  const shape = [...tile.classList].filter((name) => ["chip", "cell", "card", "down", "played"].includes(name));
  const seat = [...(tile.closest(".seat-1, .seat-2")?.classList ?? [])].filter((name) => name.startsWith("seat-"));
  const ghost = h("div", { class: ["ghost", ...shape, ...seat].join(" "), "aria-hidden": "true" }, text ?? tile.textContent);
  const { left, top, width, height } = tile.getBoundingClientRect();
  for (const [name, value] of Object.entries({ left, top, width, height })) ghost.style.setProperty(name, `${value}px`);
  ghost.style.setProperty("font-size", getComputedStyle(tile).fontSize);
  return ghost;
}
