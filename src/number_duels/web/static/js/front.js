/** The front page: the games, and how to start one. */

import { catalogue, sentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { startDialog } from "./start.js";

/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").GameInfo} GameInfo */

/** @param {GameInfo} game */
const entry = (game) =>
  h(
    "li",
    { class: "game" },
    h("div", {}, h("h2", {}, game.title), h("p", {}, game.summary)),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: `#${game.name}`, "aria-label": `Play ${game.title}` }, "Play"),
      h("a", { href: `/rules/${game.name}`, "aria-label": `Rules of ${game.title}` }, "Rules"),
      h("a", { href: `/analysis/${game.name}`, "aria-label": `Analysis of ${game.title}` }, "Analysis"),
    ),
  );

/** A field for a link that a friend has sent. */
function joining() {
  const open = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const typed = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("link")).trim();
    const id = typed.split("/").filter(Boolean).at(-1);
    if (id) location.assign(`/play/${encodeURIComponent(id)}`);
  };
  return h(
    "form",
    { class: "joining", onsubmit: open },
    h("label", { for: "link" }, "Have you been sent a link?"),
    h("div", { class: "row" }, h("input", { id: "link", name: "link", required: true, autocomplete: "off", placeholder: `${location.origin}/play/…` }), h("button", {}, "Open")),
  );
}

/** @param {Catalogue} offered */
function draw(offered) {
  fill(
    at("main"),
    h("div", { class: "hero" }, h("h1", {}, "Small numbers, sharp duels"), h("p", { class: "lead" }, "Two players, a few numbers, a few minutes. Play a friend by a link, or a computer that knows every game by heart.")),
    h("ul", { class: "games" }, offered.games.map(entry)),
    joining(),
  );
  const route = () => {
    document.querySelector("dialog")?.remove();
    const game = offered.games.find((each) => `#${each.name}` === location.hash);
    if (!game) return;
    const dialog = startDialog(game, offered.opponents);
    document.body.append(dialog);
    dialog.showModal();
  };
  addEventListener("hashchange", route);
  route();
}

catalogue().then(draw, (problem) => fill(at("main"), h("p", { class: "problem" }, sentence(problem))));
