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
const UNDONE = "undone";
const GOOD = 300;

/** @param {Request} request */
const key = ({ method, path, body }) => `${method} ${path} ${body}`;

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class EarlyAnswers {
  /**
   * @param {Record<string, Prepared>} prepared
   * @param {(request: Request) => Promise<Answer>} ask sends a request to Python
   * @param {{recall: (name: string) => string, keep: (name: string, text: string) => void}} memory keeps texts by name
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
    const profile = memory.recall(PROFILE);
    if (profile) this.prepared.set(key({ method: "GET", path: PROFILE, body: "" }), { status: 200, body: profile });
    // The page was closed or loaded again before Python could do this.
    const undone = this.undone;
    this.undone = [];
    for (const request of undone) request.game ? this.start(request) : this.do(request);
  }

  /** The changes that Python still has to make. @returns {Request[]} */
  get undone() {
    return JSON.parse(this.memory.recall(UNDONE) || "[]");
  }

  /** @param {Request[]} requests */
  set undone(requests) {
    this.memory.keep(UNDONE, JSON.stringify(requests));
  }

  /**
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  send(request) {
    const found = this.prepared.get(key(request));
    if (found?.fixed) return Promise.resolve({ ...found, headers: HEADERS });
    if (!found || this.running) return this.ready.then(() => this.turn).then(() => this.pass(request));
    if (!found.game) {
      this.do(request);
      return Promise.resolve({ ...found, headers: HEADERS });
    }
    const game = newId();
    this.start({ ...request, game });
    return Promise.resolve({ ...found, body: found.body.replaceAll(found.game, game), headers: HEADERS });
  }

  /**
   * Let Python do what was answered early.
   * @param {Request} request
   */
  do(request) {
    if (request.method !== "GET") this.undone = [...this.undone, request];
    this.turn = this.turn.then(() => this.pass(request)).then(() => {
      const text = JSON.stringify(request);
      this.undone = this.undone.filter((other) => JSON.stringify(other) !== text);
      this.run();
    }, () => {});
  }

  /** @param {Request} request */
  async pass(request) {
    const answer = await this.ask(request);
    if (request.path === PROFILE && answer.status < GOOD) this.memory.keep(PROFILE, request.method === "DELETE" ? "" : new TextDecoder().decode(/** @type {Uint8Array} */ (answer.body)));
    return answer;
  }

  /** Note that Python has answered something. */
  run() {
    if (!this.running) this.onRunning();
    this.running = true;
  }

  /**
   * Let Python start a game, and prepare what is asked about it.
   * @param {Request} request
   */
  start(request) {
    const recorded = this.prepared.get(key(request))?.game;
    const { game = "" } = request;
    this.do(request);
    for (const [asked, { body, ...rest }] of [...this.prepared])
      if (recorded && asked.startsWith(`GET /api/games/${recorded} `)) this.prepared.set(asked.replace(recorded, game), { ...rest, body: body.replaceAll(recorded, game) });
  }
}
