/**
 * Answers before Python runs, so that the first pages and the first board need not wait: what the
 * application answered when this folder was built, or what this browser was answered last. Python
 * still does what was asked, in the same order.
 */

/** @typedef {{method: string, path: string, headers?: Record<string, string>, body: string, game?: string}} Request */
/** @typedef {{status: number, headers: [string, string][], body: string | Uint8Array}} Answer */
/**
 * An answer of the build, by method, path and body. `fixed` if it is the same for everybody at any
 * time; `game` if it starts a game, with the id that stands for that of the new game.
 * @typedef {{status: number, body: string, fixed?: boolean, game?: string}} Prepared
 */

const HEADERS = /** @type {[string, string][]} */ ([["content-type", "application/json"]]);
/** The profile is remembered, so that returning users see their own page at once. */
const PROFILE = "/api/me";
const GOOD = 300;

/** @param {Request} request */
const key = ({ method, path, body }) => `${method} ${path} ${body}`;

export class EarlyAnswers {
  /**
   * @param {Record<string, Prepared>} prepared
   * @param {(request: Request) => Promise<Answer>} ask sends a request to Python
   * @param {{recall: () => string, keep: (text: string) => void}} memory of the profile
   * @param {() => void} onRunning is called once Python has answered what was answered early
   * @param {Promise<void>} ready ends when Python takes requests
   */
  constructor(prepared, ask, memory, onRunning, ready) {
    this.prepared = new Map(Object.entries(prepared));
    this.ask = ask;
    this.memory = memory;
    this.onRunning = onRunning;
    this.running = false;
    this.ready = ready;
    /** Ends when Python has done what was answered early. It does that first. */
    this.turn = ready;
    const text = memory.recall();
    if (text) this.remember(text);
  }

  /** @param {string} text the profile, as Python answered last */
  remember(text) {
    this.prepared.set(key({ method: "GET", path: PROFILE, body: "" }), { status: 200, body: text });
  }

  /**
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  send(request) {
    const found = this.prepared.get(key(request));
    if (found?.fixed) return Promise.resolve({ ...found, headers: HEADERS });
    if (!found || this.running) return this.ready.then(() => this.turn).then(() => this.pass(request));
    const started = found.game && this.start(found.game);
    const done = this.turn.then(() => this.pass(started ? { ...request, game: started } : request));
    this.turn = done.then(() => this.run(), () => {});
    return Promise.resolve({ ...found, body: started ? found.body.replaceAll(found.game ?? "", started) : found.body, headers: HEADERS });
  }

  /** @param {Request} request */
  async pass(request) {
    const answer = await this.ask(request);
    if (request.path === PROFILE && answer.status < GOOD) this.memory.keep(request.method === "DELETE" ? "" : new TextDecoder().decode(/** @type {Uint8Array} */ (answer.body)));
    return answer;
  }

  /** Note that Python has answered something. */
  run() {
    if (!this.running) this.onRunning();
    this.running = true;
  }

  /**
   * Return the id of a new game, and prepare what is asked about it.
   * @param {string} recorded the id that stands for it
   */
  start(recorded) {
    const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    for (const [asked, { body, ...rest }] of [...this.prepared])
      if (asked.startsWith(`GET /api/games/${recorded} `)) this.prepared.set(asked.replace(recorded, id), { ...rest, body: body.replaceAll(recorded, id) });
    return id;
  }
}
