/** Who one is to this server: an anonymous profile, held by a cookie that no script can read. */

import { get, post } from "./api.js";
import { keepName } from "./storage.js";

/** @type {Me | null} */
let known = null;

/**
 * The profile of this browser; one that was never created is nobody's.
 * @returns {Promise<Me>}
 */
export async function myProfile() {
  known = /** @type {Me} */ (await get("/api/me"));
  keepName(known.name);
  return known;
}

/**
 * Have a profile, so that what is played now is found again. Without one a game can be played, too.
 * @param {string} name
 */
export async function keepProfile(name) {
  try {
    const me = known ?? (await myProfile());
    if (me.created === null || (name && name !== me.name)) known = await post("/api/me", { name });
  } catch {
    // The game itself says what is wrong.
  }
}

/** Forget the profile, here and in all other browsers that have it. */
export async function forgetProfile() {
  const answer = await fetch("/api/me", { method: "DELETE" });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
}
