/** Starting a game: once, however often it is asked for. */

import { post, Refused } from "./api.js";
import { keepProfile } from "./profile.js";
import { recall, remember, takesCookies } from "./storage.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */

const STORAGE_KEY = "duels-game";
export const NO_COOKIES = "This browser refuses cookies from this page. A cookie holds your seat, so allow them for this address to play; to watch needs none.";
let starting = false;
addEventListener("pageshow", () => {
  starting = false;
});

/**
 * Start a game and go to its table; while one is being started nothing else is.
 * @param {{game: string, name: string, opponent: string, settings?: object, seat?: number, first?: number | string}} wish
 */
export async function startGame(wish) {
  if (starting) return;
  starting = true;
  try {
    if (!takesCookies()) throw new Refused(0, NO_COOKIES);
    keepGame(wish.game);
    await keepProfile(wish.name);
    const { id } = await post("/api/games", wish);
    location.assign(`/play/${id}`);
  } catch (problem) {
    starting = false;
    throw problem;
  }
}

/**
 * The game that was played last, or the first there is.
 * @param {GameInfo[]} games
 */
export const keptGame = (games) => games.find(({ name }) => name === recall(STORAGE_KEY)) ?? games[0];

/** @param {string} name */
export const keepGame = (name) => remember(STORAGE_KEY, name);
