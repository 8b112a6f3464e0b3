/** Drills: positions of a game, or of a part of it, one after the other. */

import { post } from "./api.js";
import { drawChoices } from "./train_choices.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./train_session.js").Source} Source */

const MAX_SEEN = 1000;
/** What can be chosen, by the name that the server knows. @type {import("./train_choices.js").Choices} */
const CHOICES = {
  phase: ["Part", [["", "All of it"], ["opening", "Opening"], ["middle", "Middle"], ["end", "End"]]],
  level: ["Level", [["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]]],
  form: ["Answer", [["move", "A move"], ["mixture", "How often what"]]],
};

/**
 * @param {GameInfo} game
 * @param {Record<string, number | string>} settings
 * @param {() => void} onChange
 * @returns {Source}
 */
export function drillSource(game, settings, onChange) {
  /** What was answered right does not come again. @type {string[]} */
  const seen = [];
  const chosen = { phase: "", level: "", form: "move" };
  return {
    title: `Drills: ${game.title}`,
    kind: "drill",
    game: game.name,
    settings,
    options: drawChoices(CHOICES, chosen, onChange),
    next: () => post("/api/train/drill", { game: game.name, settings, ...chosen, seen: seen.slice(-MAX_SEEN) }),
    answered: ({ id }, { right }) => {
      if (right) seen.push(id);
      return null;
    },
  };
}
