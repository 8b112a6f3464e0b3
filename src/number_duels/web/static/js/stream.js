/**
 * One stream of events for all games that are followed. It comes back by itself, also when the
 * connection is dead and says nothing of it: the server gives a sign of life every few seconds.
 *
 * @typedef {{kind: "view", id: string, view: View} | {kind: "gone", id: string} | {kind: "state", connected: boolean} | {kind: "release", release: string}} News
 */

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8000;
const ANSWER_TIMEOUT_MS = 10_000;
/** Games that are followed or left at the same moment make one new stream. */
const CHANGE_DELAY_MS = 30;
/** The cookie by which the server knows a seat on the stream is set with every view, for a minute. */
const SEAT_KNOWN_MS = 45_000;
/** How many signs of life may be missing. */
const MAX_MISSED_SIGNS = 2;

export class GameStream {
  /** @param {(news: News) => void} tell */
  constructor(tell) {
    this.tell = tell;
    this.connected = true;
    this.signEveryMs = 15_000;
    /** When each game was last asked for by itself. @type {Map<string, number>} */
    this.games = new Map();
    this.delay = MIN_RETRY_DELAY_MS;
    this.timer = 0;
    this.attempt = 0;
    /** @type {EventSource | null} */
    this.source = null;
  }

  /**
   * Follow a game whose view was just asked for.
   * @param {string} id
   */
  follow(id) {
    this.games.set(id, performance.now());
    this.soon(CHANGE_DELAY_MS);
  }

  /** @param {string} id */
  leave(id) {
    if (this.games.delete(id)) this.soon(CHANGE_DELAY_MS);
  }

  /** Somebody looks again: do not wait any longer. */
  again() {
    if (!this.connected) this.soon(0);
  }

  /** End the stream; `follow` or `again` opens another. */
  stop() {
    this.attempt += 1;
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** @param {number} delay */
  soon(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), delay);
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
    const source = new EventSource(`/api/events?${new URLSearchParams([...this.games.keys()].map((id) => ["game", id]))}`);
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
   * Ask for a game by itself: whether it is still there, and to be known on the stream.
   * @param {string} id
   */
  async ask(id) {
    const response = await fetch(`/api/games/${id}`, { credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
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

  /** Something has arrived. */
  hear() {
    this.delay = MIN_RETRY_DELAY_MS;
    this.setConnected(true);
    this.expect(MAX_MISSED_SIGNS * this.signEveryMs + 1000);
  }

  /**
   * Give the server so long for its next word.
   * @param {number} wait
   */
  expect(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fail(), wait);
  }

  fail() {
    this.stop();
    this.setConnected(false);
    // What was set for a minute may be over by now.
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
