/** The user's profile: anonymous, and held by a cookie that no script can read. */

import { get, post, remove } from "./api.js";
import { keepName } from "./storage.js";

/** @type {Me | null} */
let known = null;

/**
 * Return the profile of this browser. `created` is null if there is none yet.
 * @returns {Promise<Me>}
 */
export async function myProfile() {
  known = /** @type {Me} */ (await get("/api/me"));
  keepName(known.name);
  return known;
}

/**
 * Create a profile or rename it. Errors are ignored.
 * @param {string} name
 */
export async function keepProfile(name) {
  try {
    const me = known ?? (await myProfile());
    if (me.created === null || (name && name !== me.name)) known = await post("/api/me", { name });
  } catch {
    // A game can be played without a profile, and reports its own problems.
  }
}

/**
 * Search the user's games for mistakes, a few at a time. Return true if any was found.
 * @returns {Promise<boolean>}
 */
export async function readGames() {
  if ((await myProfile()).created === null) return false;
  let found = false;
  for (let more = true; more; ) {
    const { cards: added, more: left } = await post("/api/train/book/games");
    found ||= added > 0;
    more = left;
  }
  return found;
}

/** Delete the profile, for all browsers that use it. */
export async function forgetProfile() {
  await remove("/api/me");
}
