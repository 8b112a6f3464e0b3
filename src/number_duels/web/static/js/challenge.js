/** A position of a finished game as a puzzle for others: “Can you do better from here?” */

import { get } from "./api.js";
import { h } from "./dom.js";
import { sharedOrigin } from "./links.js";
import { copyButton } from "./share.js";
import { publicAddress } from "./transport.js";

/**
 * Return the path of an exercise with this position. It does not reveal the answer.
 * @param {string} game
 * @param {object} spot
 */
export const challengePath = (game, spot) => `/train?${new URLSearchParams({ game, spot: JSON.stringify(spot) })}#retry`;

/**
 * Draw a link to the position before the mistake that decided the game, or nothing.
 * @param {View} view
 * @param {Scene} review
 */
export async function drawChallenge(view, { findings }) {
  const found = findings.find(({ blunder }) => blunder);
  if (!found) return false;
  const { deal, settings } = await get(`/api/games/${view.id}/record`);
  const path = challengePath(view.game, { game: view.game, settings, deal, moves: found.before.at, seat: found.seat });
  const address = publicAddress(path, (await sharedOrigin().catch(() => "")) || undefined);
  return h("p", { class: "row" }, h("a", { href: path }, "Challenge a friend with this position"), copyButton("Copy link", () => `Can you do better from here? ${address}`));
}
