/** Who sits at a table. */

import { h } from "./dom.js";
import { YOU, doing, shownName } from "./words.js";

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Seat} Seat */

/**
 * A player's name and what they are doing.
 * @param {View} shown
 * @param {Seat} seat
 */
export function drawPlayer(shown, seat) {
  const player = shown.players[seat - 1];
  const name = shownName(shown, seat);
  const state = doing(shown, seat);
  const here = player.seated && (player.present || player.who !== "human");
  return h(
    "header",
    { class: "player" },
    h("span", { class: here ? "dot here" : "dot", "aria-hidden": "true" }),
    h("h2", { class: "name" }, h("bdi", {}, name)),
    player.you && name !== YOU && h("span", { class: "you" }, "you"),
    state && h("span", { class: "doing" }, state),
    player.strength && h("span", { class: "strength" }, player.strength),
  );
}
