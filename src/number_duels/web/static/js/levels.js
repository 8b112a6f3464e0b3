/** The computer's levels as buttons, with a description of the chosen one. */

import { h } from "./dom.js";
import { keepLevel, keptLevel } from "./new_game.js";

const UNSOLVED = "The game can't be solved here with these settings, so only this computer opponent is available.";

/**
 * Draw the levels. `offer(false)` disables all computers that need a solution.
 * @param {GameInfo} game
 * @param {Opponent[]} computers
 * @param {string} id unique in the page
 * @returns {{element: HTMLElement, offer: (solved: boolean) => void}}
 */
export function drawLevels(game, computers, id) {
  let wanted = keptLevel(computers);
  let solved = true;
  const note = h("p", { class: "note", id, role: "status" });
  const choose = (/** @type {Opponent} */ one) => {
    wanted = one;
    keepLevel(one.who);
    draw();
  };
  const extreme = (/** @type {Opponent} */ one) => (one === computers[0] ? "easy" : one === computers.at(-1) ? "hard" : "");
  const buttons = computers.map((one) => /** @type {HTMLInputElement} */ (h("input", { type: "radio", name: "level", value: one.who, "aria-label": [one.name, extreme(one)].filter(Boolean).join(", "), onchange: () => choose(one) })));
  const draw = () => {
    const chosen = solved || !wanted.solves ? wanted : computers.find(({ solves }) => !solves) ?? wanted;
    computers.forEach((one, index) => {
      buttons[index].disabled = one.solves && !solved;
      buttons[index].checked = one === chosen;
    });
    note.textContent = solved ? `${chosen.name} ${game.opponents[chosen.who]}.` : UNSOLVED;
  };
  draw();
  return {
    element: h("fieldset", { class: "levels", "aria-describedby": id }, h("legend", {}, "The computer’s level"), h("div", {}, computers.map((one, index) => h("label", {}, buttons[index], h("span", {}, one.name.replace("Level ", ""), h("small", {}, extreme(one)))))), note),
    offer: (possible) => {
      solved = possible;
      draw();
    },
  };
}
