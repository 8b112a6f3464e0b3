/** The page with the rules of a game. */

import { catalogue, sentence } from "./api.js";
import { at, fill, h } from "./dom.js";
import { drawTabs } from "./game_tabs.js";
import { drawSections } from "./rule_text.js";
import { labelOf, valueInWords } from "./settings.js";
import { here } from "./transport.js";

const name = here().pathname.split("/")[2];

/**
 * @param {GameInfo} game
 * @param {GameInfo[]} games
 */
function draw(game, games) {
  document.title = `${game.title}: the rules – Number Duels`;
  fill(
    at("main"),
    drawTabs(games, game, "/rules/"),
    h(
      "article",
      { class: "prose" },
      h("h1", {}, game.title),
      h("p", { class: "lead" }, game.summary),
      h("p", { class: "row" }, h("a", { class: "button primary", href: `/#${game.name}` }, `Play ${game.title}`), h("a", { class: "button", href: `/train?game=${game.name}#lesson` }, "Start the lesson"), h("a", { class: "button", href: `/analysis/${game.name}` }, "Analyze")),
      drawSections(game),
      h("h2", {}, "Settings"),
      h("dl", { class: "settings" }, Object.entries(game.settings).map(([key, setting]) => [h("dt", {}, labelOf(key, setting)), h("dd", {}, described(setting))])),
    ),
  );
}

/** @param {Setting} setting */
function described(setting) {
  const allowed = setting.choices.length > 0 ? setting.choices.map((each) => valueInWords(setting, each)).join(" or ") : `${setting.low} to ${setting.high}`;
  return `${setting.meaning}; ${allowed}, normally ${valueInWords(setting, setting.default)}.`;
}

async function open() {
  try {
    const { games } = await catalogue();
    const game = games.find((each) => each.name === name);
    if (game) draw(game, games);
    else fill(at("main"), h("h1", {}, "No such game"), h("p", {}, h("a", { href: "/" }, "All games")));
  } catch (problem) {
    fill(at("main"), h("p", { class: "problem" }, sentence(problem)));
  }
}

open();
