/** The user's own games: running ones, results, and a notice when one waits for a move. */

import { get } from "./api.js";
import { day } from "./dates.js";
import { h } from "./dom.js";
import { follow } from "./live.js";
import { tell } from "./notifications.js";
import { drawSmallBoard } from "./small_board.js";
import { GLANCE } from "./stream.js";
import { yours } from "./words.js";

/** Number of running games shown at first, in one row. The others can be unfolded. */
const MAX_RUNNING = 3;
/** Number of results shown. The statistics page has all of them. */
const MAX_FINISHED = 5;

/**
 * Return true if a game waits for the user.
 * @param {GameLine} line
 */
export const waits = (line) => line.your_turn && line.seated;

/**
 * Draw the games that wait for the user, then the others. Draws nothing if there are none.
 * @param {GameLine[]} running
 * @param {boolean} unfolded true to show all
 */
export function drawRunning(running, unfolded) {
  const sorted = [...running].sort((a, b) => Number(waits(b)) - Number(waits(a)));
  const [first, more] = [sorted.slice(0, MAX_RUNNING), sorted.slice(MAX_RUNNING)];
  return sorted.length > 0 && h(
    "section",
    { class: "mine", "aria-labelledby": "mine-title" },
    h("h2", { id: "mine-title" }, "Your games"),
    h("ul", { class: "running" }, first.map(runningGame)),
    more.length > 0 && h("details", { open: unfolded }, h("summary", {}, `${more.length} more`), h("ul", { class: "running" }, more.map(runningGame))),
  );
}

/** @param {GameLine} line */
const runningGame = (line) =>
  h(
    "li",
    {},
    h(
      "a",
      { href: `/play/${line.id}`, class: waits(line) ? "running-game yours" : "running-game", "data-key": `game ${line.id}` },
      line.board && drawSmallBoard(line.board, line.seat),
      h("span", { class: "words" }, h("strong", {}, line.title), h("span", { class: "against" }, line.against && ["against ", h("bdi", {}, line.against)]), h("span", { class: "status" }, line.status)),
    ),
  );

/**
 * Draw the latest results. Draws nothing if there are none.
 * @param {GameLine[]} finished
 */
export function drawFinished(finished) {
  return finished.length > 0 && h(
    "section",
    { class: "ended", "aria-labelledby": "ended-title" },
    h("header", { class: "heading" }, h("h2", { id: "ended-title" }, "Finished"), h("a", { class: "button quiet", href: "/record" }, "My record")),
    h("ul", {}, finished.slice(0, MAX_FINISHED).map(finishedGame)),
  );
}

/** @param {GameLine} line */
function finishedGame(line) {
  const content = [
    outcomeMark(line.status),
    h("span", {}, h("strong", {}, line.title), " against ", h("bdi", {}, line.against)),
    h("time", { datetime: line.updated }, day(line.updated)),
  ];
  return h("li", {}, line.kept ? h("a", { href: `/play/${line.id}` }, content) : h("span", {}, content));
}

/** @param {string} word won, drawn or lost */
export const outcomeMark = (word) => h("span", { class: `outcome ${word}` }, word.charAt(0).toUpperCase() + word.slice(1));

/** Number of games followed live. The others are requested now and then. */
const MAX_FOLLOWED = 8;
/** A function per game that stops following it. @type {Map<string, () => void>} */
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
    show(await get(`/api/games/${id}${GLANCE}`));
    if (followed.has(id)) followed.set(id, follow(id, show, () => {}, onChange, true));
  } catch {
    /** The next refresh of the user's games tries again. */
    followed.delete(id);
  }
}
