/**
 * Answers before Python runs, so that the first pages and the first board need not wait: what the
 * application answered when this folder was built, or what this browser was answered last. Python
 * still does what was asked, in the same order.
 */

/** `game` and `seed` are those of the game that the request starts. `settled` asks for an answer after the computer's part. @typedef {{method: string, path: string, headers?: Record<string, string>, body: string, game?: string, seed?: number, settled?: boolean}} Request */
/** @typedef {{status: number, headers: [string, string][], body: string | Uint8Array}} Answer */
/**
 * An answer of the build, by method, path and body. `fixed` if it is the same for everybody at any
 * time; `game` if it starts a game, with the id that stands for that of the new game. The replies
 * are recorded for the seeds from 1 to `seeds`.
 * @typedef {{status: number, body: string, fixed?: boolean, game?: string, seeds?: number}} Prepared
 */
/** What each action leads to: the number of a view, and what can be done there. @typedef {{[action: string]: [number, Tree]}} Tree */
/** The views after the first move, by seed. @typedef {{seeds: [number, Tree][], views: string[]}} Replies */
/** A moment of a game that began early: what is seen, and what is recorded of the next actions. @typedef {{view: string, next: Promise<{tree: Tree, views: string[]}>}} Moment */

const HEADERS = /** @type {[string, string][]} */ ([["content-type", "application/json"]]);
/** The profile is remembered, so that returning users see their own page at once. */
const PROFILE = "/api/me";
const UNDONE = "undone";
/** How many games have begun early in this browser. */
const BEGUN = "begun";
const GOOD = 200;
const BAD = 300;
/** The id of a game, and what is asked about it. */
const GAME = /^\/api\/games\/([^/]+)(?:\/(.+))?$/;

/** @param {Request} request */
const key = ({ method, path, body }) => `${method} ${path} ${body}`;

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class EarlyAnswers {
  /**
   * @param {Record<string, Prepared>} prepared
   * @param {(name: string) => Promise<Replies>} load loads the replies of a kind of game
   * @param {(request: Request) => Promise<Answer>} ask sends a request to Python
   * @param {{recall: (name: string) => string, keep: (name: string, text: string) => void}} memory keeps texts by name
   * @param {() => void} onRunning is called once Python has answered what was answered early
   * @param {Promise<void>} ready ends when Python takes requests
   */
  constructor(prepared, load, ask, memory, onRunning, ready) {
    this.prepared = new Map(Object.entries(prepared));
    this.load = load;
    this.ask = ask;
    this.memory = memory;
    this.onRunning = onRunning;
    this.running = false;
    this.ready = ready;
    /** Ends when Python has done what was answered early. It does that first. */
    this.turn = ready;
    /** The games that began early, by id. @type {Map<string, {recorded: string, now: Promise<Moment>}>} */
    this.games = new Map();
    const profile = memory.recall(PROFILE);
    if (profile) this.prepared.set(key({ method: "GET", path: PROFILE, body: "" }), { status: 200, body: profile });
    // The page was closed or loaded again before Python could do this.
    const undone = this.undone;
    this.undone = [];
    for (const request of undone) {
      request.game ? this.start(request) : this.step(request);
      this.do(request);
    }
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
  async send(request) {
    const found = this.prepared.get(key(request));
    if (found?.fixed) return { ...found, headers: HEADERS };
    if (this.running) return this.later(request);
    if (found?.game) {
      const begun = Number(this.memory.recall(BEGUN));
      this.memory.keep(BEGUN, String(begun + 1));
      const started = { ...request, game: newId(), seed: (begun % (found.seeds ?? 1)) + 1 };
      this.start(started);
      this.do(started);
      return { ...found, body: found.body.replaceAll(found.game, started.game), headers: HEADERS };
    }
    const body = found?.body ?? (await this.step(request));
    if (body === null || this.running) return this.later(request);
    this.do(request);
    return { status: found?.status ?? GOOD, body, headers: HEADERS };
  }

  /**
   * Let Python do what was answered early.
   * @param {Request} request
   */
  do(request) {
    if (request.method !== "GET") this.undone = [...this.undone, request];
    this.turn = this.turn.then(() => this.pass({ ...request, settled: true })).then(() => {
      const text = JSON.stringify(request);
      this.undone = this.undone.filter((other) => JSON.stringify(other) !== text);
      this.run();
    }, () => {});
  }

  /**
   * Let Python answer, after what was answered early.
   * @param {Request} request
   */
  later(request) {
    return this.ready.then(() => this.turn).then(() => this.pass(request));
  }

  /** @param {Request} request */
  async pass(request) {
    const answer = await this.ask(request);
    if (request.path === PROFILE && answer.status < BAD) this.memory.keep(PROFILE, request.method === "DELETE" ? "" : new TextDecoder().decode(/** @type {Uint8Array} */ (answer.body)));
    return answer;
  }

  /** Note that Python has answered something. */
  run() {
    if (!this.running) this.onRunning();
    this.running = true;
  }

  /**
   * Prepare what can be seen and done in a game before Python starts it.
   * @param {Request} request
   */
  start(request) {
    const { game: recorded = "" } = this.prepared.get(key(request)) ?? {};
    const seen = this.prepared.get(`GET /api/games/${recorded} `);
    if (!seen || !request.game) return;
    const next = this.load(recorded).then(({ seeds, views }) => ({ tree: new Map(seeds).get(request.seed ?? 0) ?? {}, views }), () => ({ tree: {}, views: [] }));
    this.games.set(request.game, { recorded, now: Promise.resolve({ view: seen.body, next }) });
  }

  /**
   * Take an action in a game that began early. Return what is seen then, or null if it is not recorded.
   * @param {Request} request
   * @returns {Promise<string | null>}
   */
  async step({ method, path, body }) {
    const [, id = "", what] = path.match(GAME) ?? [];
    const game = this.games.get(id);
    if (!game) return null;
    const before = game.now;
    const after = method === "GET" && !what ? before : before.then(async ({ next }) => {
      const { tree, views } = await next;
      const [number, rest] = tree[`${what} ${body}`] ?? [];
      return rest && number !== undefined ? { view: views[number], next: Promise.resolve({ tree: rest, views }) } : null;
    });
    game.now = after.then((moment) => moment ?? before);
    return after.then((moment) => moment && moment.view.replaceAll(game.recorded, id));
  }
}
