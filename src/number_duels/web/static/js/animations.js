/** Single animations on a board. All of them can be skipped at once. */

import { makeGhost } from "./board.js";
import { middle, shareOf } from "./board_places.js";
import { h, typeset } from "./dom.js";

/** @typedef {import("./motion.js").Figure} Figure */
/** @typedef {{x: number, y: number}} Point */

export const FLIGHT_MS = 300;
export const TURN_MS = 420;
export const COUNT_MS = 600;
/** The tiles that fly up after a win: their number, distance and duration. */
const SPARKS = 26;
const SPARK_PX = 210;
const SPARK_MS = 1150;
export const BADGE_GAP_PX = 16;
const EASE = "cubic-bezier(0.3, 0.7, 0.2, 1)";

export class Animations {
  /** @param {HTMLElement} board stays in the page while its content is redrawn */
  constructor(board) {
    this.board = board;
    /** @type {Pick<Animation, "finish" | "finished">[]} */
    this.animations = [];
    /** @type {HTMLElement[]} */
    this.ghosts = [];
    /** The speed of animations. It is 1 during the first game. */
    this.pace = 1;
    /** Time at which the current animations began. */
    this.startedAt = 0;
    this.skipped = false;
  }

  get running() {
    return this.animations.length > 0;
  }

  /** End all animations at once. */
  skip() {
    this.skipped = true;
    for (const animation of this.animations) animation.finish();
  }

  /** Wait until all animations have ended, and remove their ghosts. */
  async finished() {
    await Promise.allSettled(this.animations.map((animation) => animation.finished));
    for (const ghost of this.ghosts) ghost.remove();
    this.animations = [];
    this.ghosts = [];
  }

  /**
   * @param {Element | null} element
   * @param {PropertyIndexedKeyframes} frames
   * @param {KeyframeAnimationOptions} timing
   */
  animate(element, frames, timing) {
    if (element) this.run(element.animate(frames, { fill: "backwards", easing: EASE, ...timing }));
  }

  /**
   * Give an element a class after a delay. It stays until the element is drawn again.
   * @param {Element | null} element
   * @param {string} name
   * @param {number} delay
   */
  become(element, name, delay) {
    if (!element) return;
    const waiting = element.animate(null, { duration: delay });
    this.run(waiting);
    waiting.finished.then(() => element.classList.add(name), () => {});
  }

  /** @param {Animation} animation */
  run(animation) {
    animation.playbackRate = this.pace;
    this.await(animation);
  }

  /** @param {Pick<Animation, "finish" | "finished">} animation */
  await(animation) {
    if (!this.running) this.startedAt = performance.now();
    this.animations.push(animation);
  }

  /**
   * Wait for a while, so that the user can see the board.
   * @param {number} time
   */
  hold(time) {
    let finish = () => {};
    const finished = /** @type {Promise<any>} */ (new Promise((done) => { finish = () => done(null); }));
    setTimeout(finish, time / this.pace);
    this.await({ finish, finished });
  }

  /**
   * Let number tiles fly up from an element and fall down, behind its content.
   * @param {Element} from
   */
  burst(from) {
    const { width, height } = from.getBoundingClientRect();
    for (let n = 0; n < SPARKS; n += 1) {
      const spark = this.add(h("div", { class: `ghost spark seat-${1 + (n % 2)}`, "aria-hidden": "true" }, 1 + ((n * 5) % 9)), from);
      const share = (n + 0.5) / SPARKS;
      const [x, y] = [width * (0.25 + share / 2), height / 2];
      const [aside, up] = [(share - 0.5) * width * 1.1, SPARK_PX * (0.6 + 0.2 * ((n * 7) % 5))];
      const turned = `${(share - 0.5) * 540}deg`;
      this.animate(spark, { translate: [offset({ x, y }), offset({ x: x + aside * 0.7, y: y - up }), offset({ x: x + aside, y: y + SPARK_PX * 1.5 })], rotate: ["0deg", turned, turned], scale: [0, 1, 0.9], opacity: [1, 1, 0], easing: ["cubic-bezier(0.1, 0.7, 0.5, 1)", "cubic-bezier(0.5, 0, 0.9, 0.5)"] }, { delay: 12 * ((n * 5) % SPARKS), duration: SPARK_MS, easing: "linear", fill: "both" });
    }
  }

  /**
   * @param {HTMLElement} ghost
   * @param {Point} centre where it pauses on the way
   * @param {Point} end
   * @param {number} delay
   */
  fly(ghost, centre, end, delay) {
    ghost.classList.add("lifted");
    this.animate(ghost, { translate: ["0 0", offset(centre), offset(centre), offset(end)], offset: [0, 0.35, 0.65, 1], opacity: [1, 1, 1, 0], easing: [EASE, "linear", "ease-in"] }, { delay, duration: 3 * FLIGHT_MS, easing: "linear", fill: "both" });
  }

  /**
   * @param {HTMLElement | null} ghost
   * @param {number} delay
   */
  strike(ghost, delay) {
    this.animate(ghost, { scale: [1, 1.15, 0.6], rotate: ["0deg", "-8deg", "12deg"], opacity: [1, 1, 0] }, { delay, duration: COUNT_MS, fill: "both" });
    this.become(ghost, "down-by", delay);
  }

  /**
   * @param {Element | null} tile
   * @param {number} delay
   */
  appear(tile, delay) {
    this.animate(tile, { visibility: ["hidden", "visible"], opacity: [0, 1], scale: [0.8, 1] }, { delay, duration: FLIGHT_MS });
  }

  /**
   * Count a figure up or down to its new value, and show the difference beside it.
   * @param {Figure} figure
   * @param {number} delay
   * @param {Element | null} [earned] from where the difference flies to the figure
   */
  count({ key, from: start, to, full, owner }, delay, earned = null) {
    const meter = this.tile(key);
    const strong = meter?.querySelector("strong");
    if (!meter || !strong) return;
    if (owner !== null) {
      // The difference must not overlap the figure at its widest.
      strong.textContent = typeset(`${String(start).length > String(to).length ? start : to}`);
      this.badge(meter, to - start, delay, earned);
      if (earned) delay += FLIGHT_MS;
    }
    strong.textContent = typeset(String(start));
    const running = strong.animate({ scale: [1, owner === null ? 1 : 1.25, 1] }, { delay, duration: COUNT_MS, easing: EASE });
    this.run(running);
    running.finished.finally(() => { strong.textContent = typeset(String(to)); });
    const tick = () => {
      const progress = running.effect?.getComputedTiming().progress ?? null;
      if (running.playState === "finished" || !strong.isConnected) return;
      if (progress !== null) strong.textContent = typeset(String(Math.round(start + (to - start) * Math.min(1, progress * 1.25))));
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const bar = meter.querySelector(".bar i");
    if (full === null) return;
    // What stands beside the figure, and the stripes beyond the limit, wait until it has counted.
    if (start >= full || to > full) this.appear(meter.querySelector(".of"), delay + COUNT_MS);
    const beyond = (/** @type {number} */ value) => bar?.parentElement?.classList.toggle("beyond", value > full);
    beyond(start);
    running.finished.finally(() => beyond(to));
    this.animate(bar, { width: [start, to].map((value) => `${100 * shareOf(value, full)}%`) }, { delay, duration: COUNT_MS });
  }

  /**
   * @param {Element} meter
   * @param {number} change
   * @param {number} delay
   * @param {Element | null} earned
   */
  badge(meter, change, delay, earned) {
    const badge = this.add(makeGhost(meter.querySelector("strong") ?? meter, change > 0 ? `+${change}` : `−${-change}`));
    badge.classList.add("badge", change > 0 ? "up" : "down-by");
    for (const [name, value] of Object.entries({ left: this.badgeLeft(meter, badge), width: badge.scrollWidth })) badge.style.setProperty(name, `${value}px`);
    if (earned) this.animate(badge, { translate: [offset(way(badge, middle(earned))), "0 0"] }, { delay, duration: FLIGHT_MS });
    this.animate(badge, { scale: [1, 1.2, 1, 1], opacity: [0, 1, 1, 0] }, { delay, duration: COUNT_MS * 2, fill: "both" });
  }

  /**
   * @param {Element} meter
   * @param {HTMLElement} badge
   */
  badgeLeft(meter, badge) {
    // A figure above a bar has free room on its right, another figure on its left.
    const ends = [...meter.querySelectorAll(".figure > *")].map((each) => each.getBoundingClientRect().right);
    return meter.querySelector(".bar") ? Math.max(...ends) + BADGE_GAP_PX : meter.getBoundingClientRect().left - badge.scrollWidth - BADGE_GAP_PX;
  }

  /** @param {string | undefined} key */
  tile(key) {
    return key === undefined ? null : this.board.querySelector(`[data-tile="${key}"]`);
  }

  /**
   * Return the slot of a player's card. Fade the slot, not the card that turns inside it.
   * @param {Seat} seat
   */
  slot(seat) {
    return this.board.querySelector(`[data-slot="${seat}"]`);
  }

  /**
   * @param {Element | null} tile
   * @param {string} text
   */
  ghost(tile, text) {
    if (!tile) return null;
    return this.add(makeGhost(tile, text));
  }

  /**
   * @param {HTMLElement} ghost
   * @param {Element} [place]
   */
  add(ghost, place = document.body) {
    this.ghosts.push(ghost);
    place.append(ghost);
    return ghost;
  }
}

/** @param {Point} point */
export const offset = ({ x, y }) => `${x}px ${y}px`;

/** @param {HTMLElement} ghost */
function centreOf(ghost) {
  const [left, top, width, height] = ["left", "top", "width", "height"].map((name) => parseFloat(ghost.style.getPropertyValue(name)));
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Return the offset from a ghost to a point.
 * @param {HTMLElement} ghost
 * @param {Point} to
 * @param {number} [aside]
 * @returns {Point}
 */
export function way(ghost, to, aside = 0) {
  const start = centreOf(ghost);
  return { x: to.x - start.x + aside, y: to.y - start.y };
}
