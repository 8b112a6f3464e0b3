/**
 * One event stream for all followed games. It reconnects by itself. The server sends a sign of
 * life every few seconds, so a dead connection is noticed.
 *
 * @typedef {{kind: "view", id: string, view: View} | {kind: "gone", id: string} | {kind: "state", connected: boolean} | {kind: "release", release: string}} News
 */

import { openEvents, send } from "./transport.js";

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8000;
const ANSWER_TIMEOUT_MS = 10_000;
/** Delay, so that several changes at the same moment open only one new stream. */
const CHANGE_DELAY_MS = 30;
/** Each view sets a cookie for a minute. It tells the server the user's seat on the stream. */
const SEAT_KNOWN_MS = 45_000;
/** The query of a request for a game from a page that is not its table. */
export const GLANCE = "?glance=1";
/** Number of signs of life that may be missing. */
const MAX_MISSED_SIGNS = 2;

export class GameStream {
  /** @param {(news: News) => void} tell */
  constructor(tell) {
    this.tell = tell;
    this.connected = true;
    this.signEveryMs = 15_000;
    /** When each game was last requested by itself. @type {Map<string, number>} */
    this.games = new Map();
    /** Games without an open table in this browser. Their players must not seem present. @type {Set<string>} */
    this.glanced = new Set();
    this.delay = MIN_RETRY_DELAY_MS;
    /** Two timers, because a sign of life must not cancel a change that is about to happen. */
    this.connecting = 0;
    this.deadline = 0;
    this.attempt = 0;
    /** @type {EventSource | null} */
    this.source = null;
  }

  /**
   * Follow a game whose view was just requested.
   * @param {string} id
   * @param {boolean} [glance] true if no page of this browser is at its table
   */
  follow(id, glance = false) {
    this.games.set(id, performance.now());
    this.look(id, glance);
    this.soon(CHANGE_DELAY_MS);
  }

  /**
   * Go to the table of a followed game, or away from it.
   * @param {string} id
   * @param {boolean} glance
   */
  look(id, glance) {
    if (this.glanced.has(id) === glance) return;
    glance ? this.glanced.add(id) : this.glanced.delete(id);
    this.soon(CHANGE_DELAY_MS);
  }

  /** @param {string} id */
  leave(id) {
    if (this.games.delete(id)) this.soon(CHANGE_DELAY_MS);
  }

  /** Reconnect at once, because the user is looking again. */
  again() {
    if (!this.connected) this.soon(0);
  }

  /** Close the stream. `follow` and `again` open another. */
  stop() {
    this.attempt += 1;
    clearTimeout(this.connecting);
    clearTimeout(this.deadline);
    this.source?.close();
    this.source = null;
  }

  /** @param {number} delay */
  soon(delay) {
    clearTimeout(this.connecting);
    this.connecting = setTimeout(() => this.connect(), delay);
  }

  async connect() {
    this.stop();
    const attempt = this.attempt;
    try {
      await Promise.all([...this.games].map(([id, asked]) => performance.now() - asked > SEAT_KNOWN_MS && this.ask(id)));
    } catch {
      if (attempt === this.attempt) this.fail();
      return;
    }
    if (attempt !== this.attempt || !this.games.size) return;
    const source = openEvents(`/api/events?${new URLSearchParams([...this.games.keys()].map((id) => [this.glanced.has(id) ? "glance" : "game", id]))}`);
    this.source = source;
    source.addEventListener("view", (event) => {
      const view = JSON.parse(event.data);
      this.hear();
      this.tell({ kind: "view", id: view.id, view });
    });
    source.addEventListener("gone", (event) => this.lose(JSON.parse(event.data).id));
    source.addEventListener("alive", (event) => {
      const { every_s, release } = JSON.parse(event.data);
      this.signEveryMs = every_s * 1000;
      this.hear();
      if (release) this.tell({ kind: "release", release });
    });
    source.addEventListener("error", () => source === this.source && this.fail());
    this.expect(ANSWER_TIMEOUT_MS);
  }

  /**
   * Request a game, to see if it still exists and to renew the cookie for the stream.
   * @param {string} id
   */
  async ask(id) {
    const response = await send(`/api/games/${id}${this.glanced.has(id) ? GLANCE : ""}`, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (response.status === 404) {
      this.lose(id);
      return;
    }
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    const view = await response.json();
    if (!this.games.has(id)) return;
    this.games.set(id, performance.now());
    this.tell({ kind: "view", id, view });
  }

  /** @param {string} id */
  lose(id) {
    this.games.delete(id);
    this.tell({ kind: "gone", id });
    if (!this.games.size) this.stop();
  }

  /** Handle any sign of life. */
  hear() {
    this.delay = MIN_RETRY_DELAY_MS;
    this.setConnected(true);
    this.expect(MAX_MISSED_SIGNS * this.signEveryMs + 1000);
  }

  /**
   * Set the time limit for the next sign of life.
   * @param {number} wait
   */
  expect(wait) {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => this.fail(), wait);
  }

  fail() {
    this.stop();
    this.setConnected(false);
    /** The cookie, set for a minute, may have expired by now. */
    for (const id of this.games.keys()) this.games.set(id, -Infinity);
    this.soon(this.delay * (0.75 + Math.random() / 2));
    this.delay = Math.min(MAX_RETRY_DELAY_MS, this.delay * 2);
  }

  /** @param {boolean} connected */
  setConnected(connected) {
    if (connected === this.connected) return;
    this.connected = connected;
    this.tell({ kind: "state", connected });
  }
}
