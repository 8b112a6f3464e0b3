/** Follows one's running games against people, so that it is known at once when one waits. */

import { get } from "./api.js";
import { follow } from "./live.js";
import { tell } from "./notify.js";
import { yours } from "./words.js";

/** @typedef {import("./types.js").GameLine} GameLine */
/** @typedef {import("./types.js").View} View */

/** More games than this are only asked for now and then. */
const MAX_FOLLOWED = 8;
/** How to follow each no longer. @type {Map<string, () => void>} */
const followed = new Map();

/**
 * @param {GameLine[]} running
 * @param {() => void} onChange
 */
export function followGames(running, onChange) {
  const wanted = running.filter((line) => line.opponent === "human").slice(0, MAX_FOLLOWED).map(({ id }) => id);
  for (const [id, leave] of followed) {
    if (wanted.includes(id)) continue;
    followed.delete(id);
    leave();
  }
  for (const id of wanted) if (!followed.has(id)) followGame(id, onChange);
}

/**
 * @param {string} id
 * @param {() => void} onChange
 */
async function followGame(id, onChange) {
  /** @type {View | null} */
  let known = null;
  const show = (/** @type {View} */ view) => {
    const before = known;
    known = view;
    if (!before || before.version === view.version) return;
    if (yours(view) && !yours(before)) tell(view);
    onChange();
  };
  followed.set(id, () => {});
  try {
    show(await get(`/api/games/${id}`));
    if (followed.has(id)) followed.set(id, follow(id, show, () => {}, onChange));
  } catch {
    // The next look at one's games tries again.
    followed.delete(id);
  }
}
