/** Who is at a table: how the series of the two stands, who watches, and whether the other is away. */

import { ClaimBox } from "./claim.js";
import { fill, h } from "./dom.js";
import { SEATS, nameOf } from "./words.js";

/** @typedef {import("./types.js").View} View */

export class Company {
  /** @param {(turn: number) => void} onClaim */
  constructor(onClaim) {
    this.line = h("p", { class: "company" });
    this.claim = new ClaimBox(onClaim);
    this.elements = [this.line, this.claim.element];
  }

  /** @param {View} view */
  show(view) {
    fill(this.line, [series(view), watching(view)].filter(Boolean).map((text) => h("span", {}, text)));
    this.claim.show(view);
  }
}

/**
 * The score over rematches, one's own first.
 * @param {View} view
 */
function series(view) {
  const { wins, draws } = view.series;
  if (wins[0] + wins[1] + draws === 0) return "";
  const [near, far] = view.you === 2 ? [SEATS[1], SEATS[0]] : SEATS;
  const drawn = draws ? `, ${draws} drawn` : "";
  return `${nameOf(view, near)} ${wins[near - 1]} – ${wins[far - 1]} ${nameOf(view, far)}${drawn}`;
}

/** @param {View} view */
function watching(view) {
  if (!view.watching) return "";
  return view.watching === 1 ? "1 person is watching" : `${view.watching} people are watching`;
}

/** What there is instead of a game that has been removed. */
export function drawGone() {
  return [
    h("h1", {}, "This game is gone"),
    h("p", {}, "It was called off, or nobody has played it for a long time."),
    h("p", {}, h("a", { class: "button primary", href: "/" }, "All games")),
  ];
}
