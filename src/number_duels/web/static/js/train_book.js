/** The user's mistake book: the cards due today, and export and import. */

import { get, post, sentence } from "./api.js";
import { today } from "./dates.js";
import { fill, h, more } from "./dom.js";
import { keepProfile, myProfile } from "./profile.js";

/** Limits of one request when importing a file. */
const MAX_EVENTS = 200;
const MAX_BYTES = 48_000;

/** @returns {Promise<Book>} */
export const myBook = () => get(`/api/train/book?day=${today()}`);

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

/** @param {number} count */
export const cards = (count) => `${count} card${count === 1 ? "" : "s"}`;

/**
 * Draw the state of the book, with export and import.
 * @param {Book} book
 * @param {() => void} onMerged
 */
export function drawBook(book, onMerged) {
  const said = h("p", { class: "note", role: "status" });
  const read = async (/** @type {Event} */ event) => {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    if (!file) return;
    try {
      fill(said, `${await merge(await file.text())} new lines.`);
      onMerged();
    } catch (problem) {
      fill(said, problem instanceof SyntaxError ? "This file is not a book." : sentence(problem));
    }
  };
  const share = book.answers > 0 ? `, ${Math.round((100 * book.right) / book.answers)}% right` : "";
  return h(
    "section",
    { class: "book", "aria-labelledby": "book-title" },
    h("h2", { id: "book-title" }, "My book"),
    h("p", {}, `${cards(book.cards)}, ${book.answers} answer${book.answers === 1 ? "" : "s"}${share}.`),
    more(
      h("a", { class: "button", href: "/api/train/book/file", download: "training.jsonl" }, "Export"),
      h("label", { class: "button file" }, "Merge a file", h("input", { type: "file", accept: ".jsonl,application/x-ndjson", class: "unseen", onchange: read })),
    ),
    said,
  );
}

/**
 * Add all lines of a file to the book. Return the number of new ones.
 * @param {string} text
 */
async function merge(text) {
  await keepProfile("");
  /** @type {object[]} */
  let events = [];
  let size = 0;
  let added = 0;
  const send = async () => {
    if (events.length > 0) added += (await post("/api/train/book/file", { events })).added;
    [events, size] = [[], 0];
  };
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const bytes = new TextEncoder().encode(line).length;
    if (events.length === MAX_EVENTS || size + bytes > MAX_BYTES) await send();
    events.push(JSON.parse(line));
    size += bytes;
  }
  await send();
  return added;
}
