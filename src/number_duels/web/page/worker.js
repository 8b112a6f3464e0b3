/**
 * Runs Python, which answers the requests of the pages. Only one tab of a browser runs it, because all
 * tabs share one storage. The workers of the other tabs pass their requests on to that one.
 */

const BASE = new URL("../", import.meta.url);
const PYTHON = new URL("python/", import.meta.url);
/** Files that are compressed in a way that every host leaves alone. */
const PACKED = ".packed";
/** Other copies of this page may share the origin. */
const NAME = `number-duels ${BASE.pathname}`;
const FILES = "files";
const FOLDER = "/data";
const LOST = "The tab that ran Number Duels was closed.";
/** What is said while the browser keeps nothing more. */
const FULL = "This browser has no room left for what you do here. What it kept before stays. Free some space, and it keeps the rest with your next move.";
const NO_STORAGE = "This browser stores nothing for this page. Your games are lost when you close it.";
/** The share of the progress that loading takes. Starting Python takes the rest. */
const LOADING_SHARE = 0.7;
const MEGABYTE = 1e6;
/** The browser's own, since Pyodide gets another. */
const fetchFile = fetch;

/** @typedef {import("./early_answers.js").Request} Request */
/** What a page asks: its number within a tab, and the tab. @typedef {{id: number, tab: string, request?: Request, streams?: boolean, stop?: boolean}} Message */

const TAB = String(Math.random());
const channel = "locks" in navigator && "BroadcastChannel" in self ? new BroadcastChannel(NAME) : null;
/** The requests of this tab that are not answered yet. @type {Map<number, Message>} */
const waiting = new Map();
/** Takes requests, once this worker runs Python. @type {Promise<(message: Message) => void> | null} */
let server = null;
/** True unless the browser has refused to save what was done last. */
let kept = true;
/** True once another worker is known to run Python. */
let follows = false;

// ---- the tabs -----------------------------------------------------------------------

/**
 * Send something to the pages of a tab, or of all tabs.
 * @param {object} news
 * @param {string} [tab]
 */
function tell(news, tab) {
  if (tab !== TAB) channel?.postMessage({ ...news, to: tab ?? "all" });
  if (tab === undefined || tab === TAB) hear(news);
}

/** @param {any} news */
function hear(news) {
  if (news.kept !== undefined && news.kept !== kept) {
    kept = news.kept;
    postMessage({ problem: kept ? "" : FULL });
  }
  if (news.answer || news.failure) waiting.delete(news.id);
  postMessage(news);
}

/** @param {Message} message */
function pass(message) {
  if (server) server.then((take) => take(message), (problem) => tell({ id: message.id, failure: String(problem) }, message.tab));
  else if (follows) channel?.postMessage(message);
}

/** Send again what the tab that ran Python has left unanswered. It may have done what was asked, so a change is not sent twice. */
function passAgain() {
  for (const message of [...waiting.values()]) {
    if (message.request?.method === "GET") pass(message);
    else hear({ id: message.id, failure: LOST });
  }
}

addEventListener("message", ({ data }) => {
  if (data.ping) return postMessage({ pong: true });
  const message = { ...data, tab: TAB };
  if (message.stop) waiting.delete(message.id);
  else waiting.set(message.id, message);
  pass(message);
});

if (channel) {
  channel.onmessage = ({ data }) => {
    if (data.to === "all" || data.to === TAB) hear(data);
    else if (data.began) passAgain();
    else if (data.tab && server) pass(data);
  };
  /** The other workers wait for this lock, to learn that this tab is closed. */
  navigator.locks.request(`${NAME} ${TAB}`, () => new Promise(() => {}));
  const run = () => {
    begin();
    if (follows) passAgain();
    channel.postMessage({ began: true });
    return new Promise(() => {});
  };
  navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
    if (lock) return run();
    follows = true;
    // Python may run there already. If not, that worker keeps the requests until it does.
    postMessage({ progress: { share: 1, text: "" } });
    waiting.forEach(pass);
    navigator.locks.request(NAME, run);
  });
} else begin();

function begin() {
  server = start();
  server.catch((problem) => {
    console.error(problem);
    tell({ problem: `Number Duels can't start: ${problem.message}` });
  });
  if (!follows) waiting.forEach(pass);
}

// ---- Python ---------------------------------------------------------------------------

/** @returns {Promise<(message: Message) => void>} */
async function start() {
  const { sizes, solutions } = await (await fetch(new URL("build.json", import.meta.url))).json();
  const total = Object.values(sizes).reduce((sum, size) => sum + size);
  const megabytes = (/** @type {number} */ bytes) => (bytes / MEGABYTE).toFixed(1);
  let loaded = 0;
  const report = () => tell({ progress: { share: (LOADING_SHARE * loaded) / total, text: loaded < total ? `Getting ready: ${megabytes(loaded)} of ${megabytes(total)} MB` : "Starting…" } });
  /** The rest of the runtime. The archives follow it, so that Python starts while they load. */
  const runtime = new Set(Object.keys(sizes).filter((name) => name.startsWith("pyodide.asm.")));
  let followRuntime = () => {};
  const runtimeLoaded = new Promise((resolve) => (followRuntime = () => resolve(undefined)));
  const counted = (/** @type {string} */ name) => new TransformStream({
    flush() {
      runtime.delete(name);
      if (runtime.size === 0) followRuntime();
    },
    transform(chunk, stream) {
      loaded += chunk.byteLength;
      report();
      stream.enqueue(chunk);
    },
  });

  /** @param {string} name */
  async function load(name) {
    const packed = name + PACKED in sizes;
    const answer = await fetchFile(new URL(packed ? name + PACKED : name, PYTHON));
    if (!answer.ok || !answer.body) throw new Error(`${name} can't be loaded.`);
    const body = answer.body.pipeThrough(counted(packed ? name + PACKED : name));
    const headers = { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "text/javascript" };
    return new Response(packed ? body.pipeThrough(new DecompressionStream("gzip")) : body, { headers });
  }

  /** Pyodide fetches its files by itself. */
  self.fetch = (what, how) => (String(what).startsWith(PYTHON.href) ? load(String(what).slice(PYTHON.href.length)) : fetchFile(what, how));

  const archives = ["packages.zip", "program.zip"].map(async (name) => {
    await runtimeLoaded;
    return (await load(name)).arrayBuffer();
  });
  const [{ loadPyodide }, module, lockFileContents, files] = await Promise.all([
    import(new URL("pyodide.mjs", PYTHON).href),
    load("pyodide.asm.mjs").then((answer) => answer.blob()).then((blob) => import(URL.createObjectURL(blob))),
    load("pyodide-lock.json").then((answer) => answer.text()),
    openStorage(),
  ]);
  const python = await loadPyodide({ indexURL: PYTHON.href, packageBaseUrl: PYTHON.href, createPyodideModule: module.default, lockFileContents });
  const [extractDir] = python.pyimport("site").getsitepackages();
  for (const archive of await Promise.all(archives)) python.unpackArchive(archive, "zip", { extractDir });
  tell({ progress: { share: LOADING_SHARE, text: "Starting…" } });
  const { BrowserStorage } = python.pyimport("number_duels.web.browser_storage");
  const { LocalServer } = python.pyimport("number_duels.web.pyodide");
  const local = LocalServer(python.pyimport("pathlib").Path(FOLDER), BrowserStorage({ ...storageOf(files), solution: (/** @type {string} */ name) => loadSolution(solutions, name) }));
  await local.open();
  tell({ progress: { share: 1, text: "" } });
  return answering(python, local);
}

/**
 * Return what takes requests and answers them.
 * @param {any} python
 * @param {any} local
 */
function answering(python, local) {
  const { bytes } = python.pyimport("builtins");
  const { Call } = python.pyimport("number_duels.web.pyodide");
  const encoder = new TextEncoder();
  /** Requests that were taken, by tab and number: a tab may send one twice. */
  const taken = new Set();
  /** Ends each open stream. @type {Map<string, () => void>} */
  const stops = new Map();
  /** The tabs that are known to be open. */
  const tabs = new Set([TAB]);

  /** @param {string} tab */
  function greet(tab) {
    if (tabs.has(tab)) return;
    tabs.add(tab);
    navigator.locks.request(`${NAME} ${tab}`, () => {
      for (const [key, stop] of stops) if (key.startsWith(`${tab} `)) stop();
    });
  }

  /**
   * @param {any} call
   * @param {string} key
   * @param {(chunk: Uint8Array) => void} send
   */
  async function stream(call, key, send) {
    const left = new Promise((leave) => stops.set(key, () => leave(python.toPy({ type: "http.disconnect" }))));
    await local.stream(call, (/** @type {any} */ chunk) => send(chunk.toJs()), () => left);
  }

  return async (/** @type {Message} */ { id, tab, request, streams, stop }) => {
    const key = `${tab} ${id}`;
    if (stop) stops.get(key)?.();
    if (!request || taken.has(key)) return;
    taken.add(key);
    greet(tab);
    const { method, path, headers = {}, body, game = "", seed, settled = false } = request;
    const call = Call(method, path, python.toPy(headers), bytes(python.toPy(encoder.encode(body))), game, seed, settled);
    try {
      if (streams) await stream(call, key, (chunk) => tell({ id, chunk }, tab));
      else {
        const answer = await local.answer(call);
        tell({ id, kept: answer.kept, answer: { status: answer.status, headers: answer.headers.toJs(), body: answer.body.toJs() } }, tab);
        answer.destroy();
      }
    } catch (problem) {
      console.error(problem);
      tell({ id, failure: String(problem) }, tab);
    }
    stops.delete(key);
  };
}

/**
 * Load a solution that is shipped with the page, or return undefined, which is None in Python.
 * @param {string[]} names
 * @param {string} name
 */
async function loadSolution(names, name) {
  if (!names.includes(name)) return undefined;
  const { ok, body } = await fetchFile(new URL(`solutions/${name}${PACKED}`, PYTHON));
  if (!ok || !body) throw new Error("A solution can't be loaded.");
  return new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

// ---- storage ----------------------------------------------------------------------------

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) => new Promise((take, fail) => {
  request.onsuccess = () => take(request.result);
  request.onerror = () => fail(request.error);
});

/** @returns {Promise<IDBDatabase | null>} null if this browser has no storage */
async function openStorage() {
  try {
    const request = indexedDB.open(NAME);
    request.onupgradeneeded = () => request.result.createObjectStore(FILES);
    return await done(request);
  } catch {
    tell({ problem: NO_STORAGE });
    return null;
  }
}

/**
 * What Python calls to load and save its files.
 * @param {IDBDatabase | null} database
 */
const storageOf = (database) => ({
  async load() {
    /** @type {Map<string, Uint8Array>} */
    const files = new Map();
    if (database) {
      const store = database.transaction(FILES).objectStore(FILES);
      const [names, contents] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      names.forEach((name, index) => files.set(String(name), contents[index]));
    }
    return files;
  },

  /** Save all files or none, and return whether they are saved. @param {any} files */
  async save(files) {
    if (!database) return true;
    const contents = files.toJs();
    try {
      const transaction = database.transaction(FILES, "readwrite");
      const saved = new Promise((take, fail) => {
        transaction.oncomplete = take;
        transaction.onabort = () => fail(transaction.error);
      });
      for (const [name, data] of Object.entries(contents)) transaction.objectStore(FILES).put(data, name);
      await saved;
      return true;
    } catch (problem) {
      console.error(problem);
      return false;
    }
  },
});
