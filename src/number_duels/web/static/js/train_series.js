/** Many answers to one spot: how often each move was chosen, and how often perfect play does. */

import { h } from "./dom.js";

/** @typedef {import("./types.js").Series} Series */

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)}%`;

/** @param {Series} series */
export function drawSeries({ count, moves, distance, low, high, taken }) {
  const shown = moves.filter((one) => one.count > 0 || one.perfect > 0);
  return h(
    "div",
    { class: "series" },
    h("h3", {}, `${count} answers here`),
    h("p", {}, `${percent(distance)} of your choices lie elsewhere than perfect play’s (${percent(low)} to ${percent(high)}, 95% sure).${taken > 0 ? ` Who knows your frequencies takes ${percent(taken / 2)} of the points.` : ""}`),
    h(
      "table",
      { class: "shares" },
      h("caption", { class: "unseen" }, "How often you chose what, and how often perfect play does"),
      h("thead", {}, h("tr", {}, ["Choice", "You", "Perfect"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, shown.map(row)),
    ),
  );
}

/** @param {Series["moves"][number]} one */
function row({ words, share, low, high, perfect }) {
  const bar = h("div", { class: "range", "aria-hidden": "true" }, h("i", { class: "between" }), h("i", { class: "mine" }), h("i", { class: "theirs" }));
  for (const [name, value] of Object.entries({ share, low, high, perfect })) bar.style.setProperty(`--${name}`, String(value));
  return h("tr", {}, h("th", { scope: "row" }, words), h("td", {}, percent(share), h("span", { class: "note" }, ` (${percent(low)} to ${percent(high)})`), bar), h("td", {}, percent(perfect)));
}
