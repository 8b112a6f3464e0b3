/** All games as tabs, each with a picture of its board. */

import { h } from "./dom.js";
import { drawSmallBoard } from "./small_board.js";

/**
 * @param {GameInfo[]} games
 * @param {GameInfo} chosen
 * @param {string} path the address of a tab, before the name of its game
 */
export function drawTabs(games, chosen, path) {
  const tab = (/** @type {GameInfo} */ game) => h("a", { href: `${path}${game.name}`, "aria-current": game === chosen ? "page" : null }, drawSmallBoard(game.preview[Math.floor(game.preview.length / 2)]), h("span", {}, game.title));
  const element = h("nav", { class: "tabs", "aria-label": "Games" }, games.map(tab));
  // A row that is wider than the window begins at the chosen game.
  requestAnimationFrame(() => {
    const current = /** @type {HTMLElement | null} */ (element.querySelector("[aria-current]"));
    element.scrollLeft = current ? current.offsetLeft - element.offsetLeft - current.offsetWidth / 2 : 0;
  });
  return element;
}
