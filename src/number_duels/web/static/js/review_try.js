/** A second try at a mistake of a finished game, on the game's board. */

import { post, sentence } from "./api.js";
import { today } from "./dates.js";
import { fill, h } from "./dom.js";
import { nameMode } from "./replay.js";
import { openTable } from "./setting_up.js";
import { Session } from "./train_session.js";
import { labels } from "./words.js";

export class ReviewTry extends Session {
  /**
   * @param {View} view the finished game
   * @param {{settings: Record<string, number | string>}} spot the position
   * @param {string} title says whose decision it was, and when
   * @param {{board: HTMLElement, replay: HTMLElement, review: HTMLElement}} hosts
   * @param {() => void} onLeave
   */
  constructor(view, spot, title, hosts, onLeave) {
    super("Try again", { kind: "retry", game: view.game, settings: spot.settings, seed: 0, day: today(), spot }, null);
    this.view = view;
    this.hosts = hosts;
    this.onLeave = onLeave;
    // On a narrow screen, the board is as large as in the game again, even before the position is there.
    const pinned = hosts.board.closest(".pinned");
    pinned?.classList.remove("pinned");
    const { progress, score, working, replay, problem, feedback } = this.places;
    this.board.element.style.minHeight = `${hosts.board.getBoundingClientRect().height}px`;
    const row = h("div", { class: "row" }, progress, score);
    this.named = nameMode(hosts.board, "Try again", `${title}: find a better move`, "Back to the review", () => this.leave());
    const card = hosts.review.querySelector(".finding");
    this.element = h("section", { class: "once-more", "aria-label": "Try again" }, this.board.element, working, replay, problem, row, feedback);
    // On a wide screen, the verdict replaces the card of the mistake.
    this.beside = card && matchMedia("(min-width: 56.01rem)").matches ? [feedback, row] : [];
    card?.after(...this.beside);
    hosts.board.after(this.element);
    hosts.board.hidden = hosts.replay.hidden = true;
    if (pinned) scrollTo({ top: 0 });
    this.board.element.focus({ preventScroll: true });
  }

  /**
   * Show the players by their names in the game.
   * @param {Scene} scene
   * @param {{quiet?: boolean}} [how]
   */
  show(scene, how) {
    super.show({ ...scene, sides: scene.sides.map((side, index) => ({ ...side, name: this.view.scene.sides[index].name })) }, how);
    this.places.score.textContent = scene.progress ? `try ${scene.progress.join(" of ")}` : "";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Escape" && !this.replay && this.board.chooser.path.length === 0) this.leave();
    else super.key(event);
  }

  leave() {
    for (const part of [this.named, this.element, ...this.beside]) part.remove();
    this.hosts.board.hidden = this.hosts.replay.hidden = false;
    this.onLeave();
  }

  /**
   * Draw a button for the review's next mistake, once this one is explained, or for a rematch after the last.
   * @param {Scene} scene
   * @param {boolean} leading
   */
  actions(scene, leading) {
    const next = /** @type {HTMLElement | null} */ (this.hosts.review.querySelector("[data-key='next mistake']"));
    const go = () => {
      this.leave();
      next?.click();
    };
    const done = scene.actions.some(({ key }) => key === "next");
    const { id, scene: { actions } } = this.view;
    const { rematch } = labels({ actions });
    const again = () => openTable(async () => (await post(`/api/games/${id}/rematch`, {})).id).catch((problem) => fill(this.places.problem, sentence(problem)));
    const [label, onclick] = next ? [next.textContent, go] : [rematch, again];
    return leading && [super.actions({ ...scene, actions: [] }, true), done && label && h("button", { type: "button", class: "primary", "data-key": "next", onclick }, label)];
  }
}
