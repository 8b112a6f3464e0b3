/** Puzzles: one after the other, and the one of the day. */

import { get, post } from "./api.js";
import { h, speak } from "./dom.js";
import { drawChoices } from "./train_choices.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Book} Book */
/** @typedef {import("./train_session.js").Source} Source */

const MAX_SEEN = 1000;
/** So many of the last tries are shared. */
const MAX_TRIES = 20;
const STAR = "★";

/** The day that it is where one is. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * @param {GameInfo} game
 * @param {() => void} onChange
 * @returns {Promise<Source>}
 */
export async function puzzleSource(game, onChange) {
  /** @type {{count: number, grades: Record<string, number>}} */
  const found = await get(`/api/train/puzzles?game=${game.name}`);
  /** @type {string[]} */
  const seen = [];
  const chosen = { grade: "" };
  /** @type {import("./train_choices.js").Choices} */
  const choices = {
    grade: ["Grade", [["", "All"], ...Object.keys(found.grades).map((grade) => /** @type {[string, string]} */ ([grade, STAR.repeat(Number(grade))]))]],
  };
  return {
    title: `Puzzles: ${game.title}`,
    kind: "puzzle",
    game: game.name,
    prompts: true,
    options: drawChoices(choices, chosen, onChange),
    next: () => post("/api/train/puzzle", { game: game.name, seen: seen.slice(-MAX_SEEN), ...(chosen.grade ? { grade: Number(chosen.grade) } : {}) }),
    answered: ({ puzzle, stars }) => {
      if (puzzle) seen.push(puzzle);
      return h("p", { class: "note" }, stars ?? "");
    },
  };
}

/**
 * The puzzle of the day; once it is right there is a line to share.
 * @param {Book} book what was tried today already
 * @param {GameInfo} game whose solving is asked about meanwhile
 * @returns {Source}
 */
export function dailySource(book, game) {
  const day = today();
  const tries = [...book.daily];
  let asked = false;
  return {
    title: "Daily puzzle",
    kind: "daily",
    game: game.name,
    prompts: true,
    retries: true,
    options: h("p", { class: "note" }, `${day}${book.streak > 0 ? ` · streak ${book.streak}` : ""}`),
    next: async () => {
      if (asked) return null;
      asked = true;
      return get(`/api/train/daily?day=${day}`);
    },
    answered: async (_, { right }) => {
      const solved = tries.includes(true);
      if (!solved) tries.push(right);
      if (!right) return null;
      const streak = solved ? book.streak : book.streak + 1;
      const { line } = await get(`/api/train/daily/squares?day=${day}&tries=${tries.slice(-MAX_TRIES).map(Number).join("")}&streak=${streak}`);
      return drawSquares(line);
    },
    ended: () => h("p", { class: "lead" }, "The next puzzle comes tomorrow."),
  };
}

/** @param {string} line */
function drawSquares(line) {
  const share = async () => {
    // Only where the browser lets a page have the clipboard; the line can be selected everywhere.
    await navigator.clipboard?.writeText(line).then(() => speak("Copied."), () => {});
  };
  return h("p", { class: "squares" }, h("span", {}, line), h("button", { type: "button", class: "quiet", "data-key": "copy", onclick: share }, "Copy"));
}
