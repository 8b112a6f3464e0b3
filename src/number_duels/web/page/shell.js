/**
 * The page around all pages: it shows them in a frame, and Python, which answers their requests, runs
 * beside it in a worker. So Python stays while pages come and go. The part of the address after the
 * # is the path of the page, as on a server.
 */

import { EarlyAnswers } from "./early_answers.js";

const BASE = new URL("../", import.meta.url);
const THEME_KEY = "duels-theme";
/** Other copies of this page may share the origin. @param {string} name */
const keyOf = (name) => `duels ${BASE.pathname} ${name}`;
/** Most answers take a hundredth of this. */
const BUSY_MS = 1500;
const PING_INTERVAL_MS = 500;
/** How long a page may still grow to the height to which it was scrolled. */
const SCROLL_PATIENCE_MS = 3000;

const { pages, redirects } = await fetch(new URL("build.json", import.meta.url)).then((answer) => answer.json());

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

// ---- requests -------------------------------------------------------------------

const python = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: "number-duels" });
let takeRequests = () => {};
/** @type {Promise<void>} */
const ready = new Promise((resolve) => (takeRequests = resolve));
/** What waits for an answer, by the number of its request. @type {Map<number, {take: (answer: any) => void, fail: (problem: Error) => void, hear?: (chunk: Uint8Array) => void}>} */
const waiting = new Map();
let requests = 0;

/**
 * @param {object} request
 * @param {(chunk: Uint8Array) => void} [hear] takes the chunks of a stream
 * @returns {[number, Promise<any>]}
 */
function ask(request, hear) {
  requests += 1;
  const id = requests;
  const answer = new Promise((take, fail) => waiting.set(id, { take, fail, hear }));
  python.postMessage({ id, request, streams: hear !== undefined });
  return [id, answer];
}

python.addEventListener("message", ({ data }) => {
  const { id, chunk, answer, failure, progress, problem, pong } = data;
  if (pong) showBusy((answered = performance.now()));
  else if (progress) showProgress(progress);
  else if (problem !== undefined) showProblem(problem);
  else if (chunk) waiting.get(id)?.hear?.(chunk);
  else if (answer) waiting.get(id)?.take(answer);
  else if (failure) waiting.get(id)?.fail(new TypeError(failure));
  if (answer || failure) waiting.delete(id);
});
python.addEventListener("error", (event) => showProblem(`Number Duels can't run here: ${event.message || "the browser could not load its program"}. Reload the page to try again.`));

/**
 * Load a file that is compressed in a way that every host leaves alone.
 * @param {string} name
 */
async function loadPacked(name) {
  const { body } = await fetch(new URL(`${name}.json.packed`, import.meta.url));
  return new Response(/** @type {ReadableStream} */ (body).pipeThrough(new DecompressionStream("gzip"))).json();
}

const early = new EarlyAnswers(
  await loadPacked("prepared"),
  (name) => loadPacked(`replies/${name}`),
  (request) => ask(request)[1],
  {
    recall: (name) => stored(() => localStorage.getItem(keyOf(name))) ?? "",
    keep: (name, text) => stored(() => localStorage.setItem(keyOf(name), text)),
  },
  // The page looks again at what may have changed, as after a while in the background.
  () => frame?.contentDocument?.dispatchEvent(new Event("visibilitychange")),
  ready,
);

/**
 * Use the browser's storage, which may be forbidden or full.
 * @template T
 * @param {() => T} use
 */
function stored(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

// ---- what is shown of Python ------------------------------------------------------

/** @param {{share: number, text: string}} progress */
function showProgress({ share, text }) {
  const place = at("loading");
  place.hidden = share === 1;
  if (share === 1) takeRequests();
  // Only now, so that it does not compete with the files that Python waits for. Over plain http there is none.
  if (share === 1) navigator.serviceWorker?.register(new URL("sw.js", BASE)).catch(() => {});
  place.style.setProperty("--share", String(share));
  /** @type {HTMLElement} */ (place.querySelector("p")).textContent = text;
}

/** When the worker answered last. While Python works, it does not. */
let answered = Infinity;
setInterval(() => {
  python.postMessage({ ping: true });
  showBusy(performance.now());
}, PING_INTERVAL_MS);

/** @param {number} now */
function showBusy(now) {
  at("busy").hidden = !(early.running && now - answered > BUSY_MS);
}

/** @param {string} text "" if it is solved */
function showProblem(text) {
  at("problem").textContent = text;
  at("problem").hidden = text === "";
}

// ---- pages ------------------------------------------------------------------------

/** The frame that is shown. @type {HTMLIFrameElement | null} */
let frame = null;
/** The frame of the newest page, which may still be loading. @type {HTMLIFrameElement | null} */
let newest = null;
/** The path of the newest page. */
let shown = "";
/** The number of the newest page. Entries of the history that it made have the same number. */
let number = 0;
/** The key of the present entry of the history. */
let entry = "";
/** How far the page of each entry was scrolled. @type {Map<string, number>} */
const scrolled = new Map();
const follower = new MutationObserver(follow);

/** Return the path in the address. */
function addressed() {
  const path = location.hash.slice(1) || "/";
  return path.startsWith("/") ? path : `/#${path}`;
}

/** @param {string} path */
const split = (path) => path.split(/#(.*)/s, 2).concat("");

/**
 * Return the address of a page in a frame. It always has a #, so that changing what follows does not
 * load it again.
 * @param {string} path
 */
function inner(path) {
  const [before, hash] = split(path);
  const { pathname, search } = new URL(before, BASE.origin);
  const target = redirects[pathname] ?? pathname;
  return new URL(`pages/${pages[target.split("/")[1]] ?? "error"}.html?${target}${search}#${hash}`, import.meta.url).href;
}

/**
 * Load a page, and show it when it is complete.
 * @param {string} path
 */
function show(path) {
  const next = document.createElement("iframe");
  const { key } = history.state;
  number += 1;
  shown = path;
  history.replaceState({ key, page: number }, "");
  if (newest !== frame) newest?.remove();
  newest = next;
  next.className = "next";
  next.title = "Number Duels";
  next.src = inner(path);
  next.addEventListener("load", () => {
    if (newest !== next || frame === next) return;
    frame?.remove();
    frame = next;
    next.className = "";
    const page = /** @type {Window} */ (next.contentWindow);
    follower.disconnect();
    follower.observe(page.document.head, { subtree: true, childList: true, characterData: true, attributes: true });
    follower.observe(page.document.documentElement, { attributes: true });
    follow();
    page.focus();
    scrollTo(page, scrolled.get(key) ?? 0);
  });
  document.body.append(next);
}

/** Take title, icon and theme from the page. */
function follow() {
  const page = frame?.contentDocument;
  if (!page) return;
  document.title = page.title;
  const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
  const wanted = /** @type {HTMLLinkElement | null} */ (page.querySelector("link[rel=icon]"))?.href ?? icon.href;
  if (icon.href !== wanted) icon.href = wanted;
  const { theme } = page.documentElement.dataset;
  if (theme) document.documentElement.dataset.theme = theme;
}

/**
 * Scroll to where the user was, once the page is high enough.
 * @param {Window} page
 * @param {number} height
 */
function scrollTo(page, height) {
  if (!height) return;
  const grown = new ResizeObserver(() => {
    page.scrollTo(0, height);
    if (page.scrollY >= height - 1) grown.disconnect();
  });
  const stop = () => grown.disconnect();
  grown.observe(page.document.body);
  setTimeout(stop, SCROLL_PATIENCE_MS);
  for (const input of ["wheel", "touchstart", "keydown"]) page.addEventListener(input, stop, { once: true });
}

/**
 * Change what follows the # of the page that is shown.
 * @param {string} path
 */
function move(path) {
  shown = path;
  newest?.contentWindow?.location.replace(inner(path));
}

/** Whether two paths differ only in what follows their #. @param {string} one @param {string} two */
const samePage = (one, two) => split(one)[0] === split(two)[0];

/** @param {number} page */
const newState = (page) => ({ page, key: String(Math.random()) });

/** Remember how far the page is scrolled, before the entry of the history changes. */
function leave() {
  scrolled.set(entry, frame?.contentWindow?.scrollY ?? 0);
}

/** Note that the entry of the history has changed. */
function enter() {
  // The user has typed this address or followed a link from elsewhere.
  if (!history.state) history.replaceState(newState(0), "");
  entry = history.state.key;
}

/** Show the page in the address, which the user has changed. */
function arrive() {
  const path = addressed();
  if (path === shown) return;
  leave();
  enter();
  if (samePage(path, shown)) move(path);
  else if (history.state.page !== number) show(path);
  else {
    // The page made this entry itself.
    shown = path;
    const page = /** @type {any} */ (newest?.contentWindow);
    page.history.replaceState(null, "", inner(path));
    page.dispatchEvent(new page.PopStateEvent("popstate"));
  }
}

addEventListener("popstate", arrive);
addEventListener("hashchange", arrive);
addEventListener("beforeprint", () => frame && (frame.style.height = `${frame.contentDocument?.documentElement.scrollHeight}px`));
addEventListener("afterprint", () => frame && (frame.style.height = ""));

/** What the pages call. */
Object.assign(window, {
  shell: {
    send: (/** @type {import("./early_answers.js").Request} */ request) => early.send(request),

    /**
     * @param {string} path
     * @param {(chunk: Uint8Array) => void} hear
     * @returns {() => void} closes the stream
     */
    openEvents(path, hear) {
      let stop = () => {};
      let stopped = false;
      ready.then(() => early.turn).then(() => {
        if (stopped) return;
        const [id, answer] = ask({ method: "GET", path, headers: {}, body: "" }, hear);
        answer.catch(() => {});
        stop = () => {
          waiting.delete(id);
          python.postMessage({ id, stop: true });
        };
      });
      return () => {
        stopped = true;
        stop();
      };
    },

    /**
     * Show a page. A path that differs only in what follows the # stays on the page.
     * @param {string} path
     */
    go(path) {
      const stays = path.includes("#") && samePage(path, shown);
      leave();
      if (path !== shown) history.pushState(newState(number), "", `#${path}`);
      enter();
      stays ? move(path) : show(path);
    },

    /**
     * Change the address of the page that is shown.
     * @param {string} path
     * @param {boolean} push true to add an entry to the history
     */
    setAddress(path, push) {
      leave();
      shown = path;
      history[push ? "pushState" : "replaceState"](push ? newState(number) : history.state, "", `#${path}`);
      enter();
    },
  },
});

// Without one, the pages take the theme of the system.
const theme = stored(() => localStorage.getItem(THEME_KEY));
if (theme) document.documentElement.dataset.theme = theme;
enter();
show(addressed());
