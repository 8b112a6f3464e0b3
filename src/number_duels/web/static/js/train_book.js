/** The user's mistake book: a list of its cards, and export and import. */

import { get, post, remove, sentence } from "./api.js";
import { challengePath } from "./challenge.js";
import { today } from "./dates.js";
import { at, fill, h, speak } from "./dom.js";
import { fileButton, sendLines } from "./line_files.js";
import { more } from "./more.js";
import { keepProfile } from "./profile.js";
import { drawSmallBoard } from "./small_board.js";

/** A request has at most this many entries of a file. */
const MAX_EVENTS = 200;

/**
 * @param {string} game the game whose training comes next
 * @returns {Promise<Book>}
 */
export const myBook = (game) => get(`/api/train/book?${new URLSearchParams({ day: today(), game })}`);

/** @param {number} count */
export const cards = (count) => `${count} mistake${count === 1 ? "" : "s"}`;

/** Delay after a key press before the server searches. */
const SEARCH_PAUSE_MS = 200;

/**
 * Draw the book: a search, its cards, and export and import.
 * @param {Child} back a link back to the menu
 */
export async function drawBook(back) {
  const [said, list] = [h("p", { class: "note", role: "status" }), h("ul", { class: "book" })];
  const search = /** @type {HTMLInputElement} */ (h("input", { id: "search", autocomplete: "off", placeholder: "a game, moves, a source or a day", oninput: () => later() }));
  let timer = 0;
  let asked = 0;
  const later = () => {
    clearTimeout(timer);
    timer = window.setTimeout(show, SEARCH_PAUSE_MS);
  };
  const show = async () => {
    const mine = (asked += 1);
    try {
      /** @type {CardList} */
      const found = await get(`/api/train/book/cards?${new URLSearchParams({ search: search.value })}`);
      if (mine !== asked) return;
      const shown = found.cards.length;
      fill(said, found.count > 0 ? `${cards(found.count)}${shown < found.count ? `, the first ${shown} of them here` : ""}.` : search.value ? found.note : "No mistakes yet. Your mistakes in drills, puzzles and games appear here.");
      const titles = [...new Set(found.cards.map(({ title }) => title))];
      const ofGame = (/** @type {string} */ title) => found.cards.filter((card) => card.title === title).map((card) => drawCard(card, said, show));
      fill(list, titles.map((title) => h("li", {}, h("h2", {}, title), h("ul", { class: "cards-list" }, ofGame(title)))));
    } catch (problem) {
      if (mine === asked) fill(said, sentence(problem));
    }
  };
  const read = async (/** @type {string} */ text) => {
    speak(`${await merge(text)} new entries.`);
    await show();
  };
  document.title = "My book – Number Duels";
  fill(
    at("main"),
    back,
    h("h1", {}, "My book"),
    h("div", { class: "field" }, h("label", { for: "search" }, "Search"), search),
    said,
    list,
    more(
      h("a", { class: "button", href: "/api/train/book/file", download: "training.jsonl" }, "Export"),
      fileButton("Merge a file", read, (problem) => fill(said, problem instanceof SyntaxError ? "This file is not a mistake book." : sentence(problem))),
    ),
  );
  await show();
}

/**
 * @param {ListedCard} card
 * @param {HTMLElement} said
 * @param {() => void} onRemoved
 */
function drawCard({ card, title, position, facts, spot, board }, said, onRemoved) {
  const name = `${title}, ${position}`;
  const drop = async () => {
    try {
      await remove(`/api/train/book/cards/${card}`);
      speak(`Removed: ${name}.`);
      onRemoved();
    } catch (problem) {
      fill(said, sentence(problem));
    }
  };
  const again = spot && challengePath(spot.game, spot);
  return h(
    "li",
    {},
    board.length > 0 && drawSmallBoard(board, spot?.seat),
    h("div", { class: "about" }, h("p", {}, position.replace(": ", ", your mistake: ")), h("p", { class: "note" }, facts.join(" · "))),
    h("div", { class: "row" }, again && h("a", { class: "button", href: again, "aria-label": `Practice: ${name}` }, "Practice"), h("button", { type: "button", "aria-label": `Remove: ${name}`, onclick: drop }, "Remove")),
  );
}

/**
 * Add all lines of a file to the book. Return the number of new ones.
 * @param {string} text
 */
async function merge(text) {
  await keepProfile("");
  let added = 0;
  await sendLines(text, MAX_EVENTS, async (lines) => {
    added += (await post("/api/train/book/file", { events: lines.map((line) => JSON.parse(line)) })).added;
  });
  return added;
}
