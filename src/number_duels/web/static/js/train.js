/** Learn to play perfectly: what there is to practise, and then the exercise itself. */

import { catalogue, sentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { keepGame, keptGame } from "./new_game.js";
import { drillSource } from "./train_drills.js";
import { Session } from "./train_session.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").Catalogue} Catalogue */

/** @type {Session | null} */
let session = null;

/**
 * The game of the address, or the one that was played last.
 * @param {GameInfo[]} games
 */
const chosenGame = (games) => games.find(({ name }) => name === new URLSearchParams(location.search).get("game")) ?? keptGame(games);

/**
 * @param {GameInfo[]} games
 * @param {GameInfo} game
 */
function chooser(games, game) {
  const change = (/** @type {Event} */ event) => {
    const { value } = /** @type {HTMLSelectElement} */ (event.target);
    keepGame(value);
    history.replaceState(null, "", `?game=${value}`);
    menu(games);
  };
  return h("label", { class: "which" }, "Game", h("select", { name: "game", "data-key": "game", onchange: change }, games.map(({ name, title }) => h("option", { value: name, selected: name === game.name }, title))));
}

/**
 * @param {string} hash
 * @param {string} title
 * @param {string} note
 */
const entry = (hash, title, note) => h("li", {}, h("a", { class: "choice", href: `#${hash}` }, h("strong", {}, title), h("span", { class: "note" }, note)));

/** @param {GameInfo[]} games */
function menu(games) {
  const game = chosenGame(games);
  document.title = "Train – Number Duels";
  fill(
    at("main"),
    h("header", { class: "heading" }, h("h1", {}, "Train"), chooser(games, game)),
    h("p", { class: "lead" }, "Every position is solved: you are told at once what an answer costs, and why."),
    h("ul", { class: "offers" }, entry("drills", "Drills", `Positions of ${game.title}, by how often they come up and what is at stake.`)),
  );
}

/** @param {Session} next */
function open(next) {
  session = next;
  fill(at("main"), h("p", {}, h("a", { class: "button quiet back", href: "#" }, "← All exercises")), next.element);
  next.next();
}

/** @param {Catalogue} offered */
function route({ games }) {
  session = null;
  const game = chosenGame(games);
  if (location.hash === "#drills") open(new Session(drillSource(game, () => session?.restart())));
  else menu(games);
}

addEventListener("keydown", (event) => session?.key(event));
catalogue().then(
  (offered) => {
    addEventListener("hashchange", () => route(offered));
    route(offered);
  },
  (problem) => fill(at("main"), h("p", { class: "problem" }, sentence(problem))),
);
