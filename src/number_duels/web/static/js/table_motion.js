/** Animates what only a table has: a new game is dealt, and a finished one has a winner. */

import { BADGE_GAP_PX, COUNT_MS, FLIGHT_MS, offset } from "./animations.js";
import { middle } from "./board_places.js";
import { Motion, THINKING_MS, isStill } from "./motion.js";
import { SEATS } from "./words.js";

/** How long after a tile the next one is dealt. */
const DEAL_MS = 25;

export class TableMotion extends Motion {
  /** Deal the tiles of a new game from the middle of the table. */
  async deal() {
    if (isStill()) return;
    const centre = middle(this.board);
    for (const row of this.board.querySelectorAll(".chips, .grid, .deck")) {
      [...row.children].forEach((tile, n) => {
        const { x, y } = middle(tile);
        this.animate(tile, { translate: [offset({ x: centre.x - x, y: centre.y - y }), "0 0"], opacity: [0, 1, 1] }, { delay: DEAL_MS * n, duration: FLIGHT_MS });
      });
    }
    await this.finished();
  }

  /**
   * Show the signs of a calculation beside its two tiles: "9 − 5 = 4".
   * @param {View} after
   * @param {Seat} mover
   * @param {import("./motion.js").Changes} changes
   * @param {import("./motion.js").Ghosts} old
   */
  oneMove(after, mover, changes, old) {
    super.oneMove(after, mover, changes, old);
    const [, one, sign, two] = after.last?.moves[mover]?.match(/^(\d+)(\D)(\d+)$/) ?? [];
    const struck = changes.went.find(({ owner }) => owner !== mover);
    const signs = new Map([[one, sign?.replace("-", "\u2212")], [two, struck && `= ${struck.text}`]]);
    for (const { key, owner, text } of changes.went) {
      const ghost = old.get(key);
      const shown = signs.get(text);
      if (!ghost || !shown || owner !== mover) continue;
      ghost.dataset.sign = shown;
      this.animate(ghost, { opacity: [0, 1, 1, 0] }, { delay: after.players[mover - 1].who === "human" ? 0 : THINKING_MS, duration: 3 * FLIGHT_MS, easing: "linear", fill: "both", pseudoElement: "::after" });
    }
  }

  /**
   * Where the name leaves no room beside a figure, a gain stands above it.
   * @param {Element} meter
   * @param {HTMLElement} badge
   */
  badgeLeft(meter, badge) {
    const left = super.badgeLeft(meter, badge);
    const name = meter.closest(".side")?.querySelector("bdi")?.getBoundingClientRect().right ?? 0;
    if (meter.querySelector(".bar") || left > name + BADGE_GAP_PX) return left;
    const { top, right } = meter.getBoundingClientRect();
    badge.style.setProperty("top", `${top - badge.offsetHeight}px`);
    return right - badge.scrollWidth;
  }

  /** Return where the cards of both players lie. */
  cardPlaces() {
    return SEATS.map((seat) => this.slot(seat)).map((slot) => slot && middle(slot));
  }

  /**
   * Let the result of a game appear between the cards, which stay. The winner's side glows, unless
   * the player here has lost. If the player here has won, the headline grows and tiles fly up.
   * @param {Seat | undefined} winner
   * @param {Seat | null} you
   * @param {ReturnType<TableMotion["cardPlaces"]>} lay where the cards lay before the result
   */
  async end(winner, you, lay) {
    const won = winner === you;
    const result = this.board.querySelector(".result");
    if (!result || isStill()) return;
    for (const part of result.querySelectorAll(".asked, .ways")) this.animate(part, { opacity: [0, 1] }, { duration: COUNT_MS });
    this.cardPlaces().forEach((now, index) => {
      const before = lay[index];
      if (now && before) this.animate(this.slot(SEATS[index]), { transform: [`translate(${offset({ x: before.x - now.x, y: before.y - now.y }).replace(" ", ", ")})`, "none"] }, { duration: FLIGHT_MS });
    });
    if (won || you === null) this.animate(this.board.querySelector(`.side.seat-${winner}`), { boxShadow: ["0 0 0 0 transparent", "0 0 2rem 0.25rem var(--seat)", "0 0 0 0 transparent"] }, { duration: 2.4 * COUNT_MS });
    if (won) this.animate(result.querySelector(".headline"), { scale: [0.3, 1.35, 1] }, { duration: 1.5 * COUNT_MS });
    this.animate(result.querySelector(".beaten"), { scale: [0, 1.3, 1] }, { delay: COUNT_MS / 2, duration: COUNT_MS });
    if (won) this.burst(result);
    else if (winner && you) {
      // A loss sinks in.
      this.animate(result.querySelector(".headline"), { translate: ["0 -1.5rem", "0 0.25rem", "0"] }, { duration: 1.5 * COUNT_MS });
      this.animate(this.board.querySelector(`.side.seat-${you}`), { translate: ["0", "0 0.5rem", "0"] }, { duration: 1.5 * COUNT_MS });
    }
    await this.finished();
  }
}
