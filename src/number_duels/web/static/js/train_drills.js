/** Drills: positions of a game, or of a part of it, one after the other. */

import { post } from "./api.js";
import { h } from "./dom.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./train_session.js").Source} Source */

/** What can be chosen, by the name that the server knows. @type {Record<string, [string, [string, string][]]>} */
const CHOICES = {
  phase: ["Part", [["", "All of it"], ["opening", "Opening"], ["middle", "Middle"], ["end", "End"]]],
  level: ["Level", [["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]]],
  form: ["Answer", [["move", "A move"], ["mixture", "How often what"], ["die", "A move by a die"]]],
};

/**
 * @param {GameInfo} game
 * @param {() => void} onChange
 * @returns {Source}
 */
export function drillSource(game, onChange) {
  /** What was answered right does not come again. @type {string[]} */
  const seen = [];
  /** @type {Record<string, string>} */
  const chosen = { phase: "", level: "", form: "move" };
  const field = (/** @type {string} */ name) => {
    const [label, options] = CHOICES[name];
    const change = (/** @type {Event} */ event) => {
      chosen[name] = /** @type {HTMLSelectElement} */ (event.target).value;
      onChange();
    };
    return h("label", {}, label, h("select", { name, onchange: change }, options.map(([value, words]) => h("option", { value, selected: chosen[name] === value }, words))));
  };
  return {
    title: `Drills: ${game.title}`,
    kind: "drill",
    game: game.name,
    options: h("div", { class: "scope" }, Object.keys(CHOICES).map(field)),
    next: () => post("/api/train/drill", { game: game.name, ...chosen, seen: seen.slice(-1000) }),
    answered: ({ id }, { right }) => {
      if (right) seen.push(id);
      return null;
    },
  };
}
