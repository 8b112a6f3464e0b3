/** A page without a browser, and the scenes that a test of the server wrote. */

import { readFileSync } from "node:fs";

import { Window } from "happy-dom";

const window = new Window({ url: "http://localhost/train" });
for (const name of ["document", "HTMLElement", "Element", "Event", "MouseEvent", "navigator", "location", "localStorage"]) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
}
globalThis.addEventListener = window.addEventListener.bind(window);
globalThis.matchMedia = () => ({ matches: true });
window.HTMLElement.prototype.scrollIntoView = () => {};
document.body.innerHTML = '<main id="main"></main><div id="speak"></div>';

export const main = document.getElementById("main");

/** What was said to who listens, the newest last. */
export const heard = () => [...document.getElementById("speak").children].map((line) => line.textContent);

/** What can be read in an element, without its line breaks. */
export const read = (element) => element.textContent.replace(/\s+/g, " ").replaceAll("\u2212", "-");

/** Every scene of some sittings, by what is trained in them; and of some analyses. */
export const { sittings, analyses } = JSON.parse(readFileSync(process.env.SCENES, "utf8"));

/** The reviews of some games, each with the frames of its turns. */
export const reviews = JSON.parse(readFileSync(process.env.REVIEWS, "utf8"));

/** The first scene of a sitting or an analysis that is wanted. */
export const scene = (name, wanted) => (sittings[name] ?? analyses[name]).find(wanted);

export const told = (right) => ({ verdict }) => verdict?.right === right;
