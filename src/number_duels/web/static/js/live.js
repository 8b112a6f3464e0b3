/** Live updates of the games on this page, over one stream for the whole browser. */

import { get } from "./api.js";
import { h, speak } from "./dom.js";
import { GLANCE, GameStream } from "./stream.js";
import { alone } from "./transport.js";

/** @typedef {import("./stream.js").News} News */

/** @typedef {{view: (view: View) => void, state: (connected: boolean) => void, gone: () => void, hidden: () => void, glance: boolean}} Follower */

const WORKER_TIMEOUT_MS = 12_000;

/** @type {Map<string, Set<Follower>>} */
const followers = new Map();
/** @type {((what: string, id?: string, glance?: boolean) => void) | null} */
let say = null;

/** @param {News} news */
function hear(news) {
  if (news.kind === "release") noticeRelease(news.release);
  else if (news.kind === "state") for (const each of all()) each.state(news.connected);
  else for (const each of [...(followers.get(news.id) ?? [])]) news.kind === "view" ? each.view(news.view) : each.gone();
}

const all = () => [...followers.values()].flatMap((some) => [...some]);

/** Use a stream shared by all tabs if the browser supports it, or else one for this tab. */
function connect() {
  if (alone) return useOwnStream();
  try {
    const worker = new SharedWorker(new URL("./stream_worker.js", import.meta.url), { type: "module", name: "number-duels" });
    /** The worker answers within its own timeout. If it does not, its script has not loaded. */
    const silent = setTimeout(() => {
      worker.port.close();
      useOwnStream();
    }, WORKER_TIMEOUT_MS);
    worker.port.addEventListener("message", (event) => {
      clearTimeout(silent);
      hear(event.data);
    });
    worker.port.start();
    worker.addEventListener("error", () => {
      clearTimeout(silent);
      useOwnStream();
    });
    const release = holdLock((name) => worker.port.postMessage({ what: "lock", id: name }));
    addEventListener("pagehide", () => {
      worker.port.postMessage({ what: "close" });
      release();
    });
    say = (what, id, glance) => worker.port.postMessage({ what, id, glance });
  } catch {
    useOwnStream();
  }
}

/**
 * Hold a lock while this page is open, so that the worker learns when the tab is closed. Pages over
 * plain http have no locks.
 * @param {(name: string) => void} onHeld
 * @returns {() => void} releases the lock
 */
function holdLock(onHeld) {
  const name = `number-duels-${Math.random()}`;
  let release = () => {};
  const hold = () =>
    navigator.locks?.request(name, () => {
      onHeld(name);
      return new Promise((resolve) => (release = () => resolve(null)));
    });
  hold();
  addEventListener("pageshow", (event) => event.persisted && hold());
  return () => release();
}

/** Use a stream of this tab only. It is closed while the tab is hidden. */
function useOwnStream() {
  const stream = new GameStream(hear);
  say = (what, id = "", glance = false) => {
    if (what === "again") stream.again();
    else if (document.visibilityState === "visible" || what === "leave") what === "follow" ? stream.follow(id, glance) : stream.leave(id);
  };
  const look = () => (document.visibilityState === "visible" ? followAgain() : stream.stop());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", () => stream.stop());
  followAgain();
}

async function followAgain() {
  for (const [id, some] of followers) {
    /** Requesting a view also allows this browser to follow the game. */
    const glance = [...some].every((each) => each.glance);
    await get(`/api/games/${id}${glance ? GLANCE : ""}`).then(
      (view) => [...some].forEach((each) => each.view(view)),
      (problem) => problem.status === 404 && [...some].forEach((each) => each.gone()),
    );
    if (followers.has(id)) say?.("follow", id, glance);
  }
}

/**
 * Follow a game whose view has been requested. When it is over, stop at a rematch or when the page
 * is hidden.
 * @param {string} id
 * @param {(view: View) => void} onView
 * @param {(connected: boolean) => void} onState
 * @param {() => void} [onGone]
 * @param {boolean} [glance] true if this page is not the table of the game
 * @returns {() => void} stops following
 */
export function follow(id, onView, onState, onGone = () => {}, glance = false) {
  if (!say) connect();
  let over = false;
  const leave = () => {
    const some = followers.get(id);
    if (!some?.delete(follower) || some.size) return;
    followers.delete(id);
    say?.("leave", id);
  };
  const follower = {
    view: (/** @type {View} */ view) => {
      over = view.over;
      if (over && (view.rematch || document.visibilityState === "hidden")) leave();
      onView(view);
    },
    state: onState,
    hidden: () => over && leave(),
    glance,
    gone: () => {
      leave();
      onGone();
    },
  };
  followers.set(id, (followers.get(id) ?? new Set()).add(follower));
  say?.("follow", id, glance);
  return leave;
}

addEventListener("online", () => say?.("again"));
addEventListener("pageshow", (event) => event.persisted && followAgain());
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? say?.("again") : all().forEach(({ hidden }) => hidden())));

const STORAGE_KEY = "duels-reloaded-for";
const own = document.querySelector("meta[name=release]")?.getAttribute("content");
let offered = false;

/**
 * Offer a reload if the server's release differs from that of this page.
 * @param {string} release
 */
function noticeRelease(release) {
  if (!own || release === own || offered) return;
  offered = true;
  const text = "Number Duels has been updated.";
  const bar = h("p", { class: "upgrade" }, text, " ", h("button", { type: "button", onclick: () => location.reload() }, "Reload"));
  document.getElementById("main")?.before(bar);
  speak(text);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && reloadOnce(release));
}

/**
 * Reload at most once per release, because another server may still send the old page.
 * @param {string} release
 */
function reloadOnce(release) {
  try {
    if (sessionStorage.getItem(STORAGE_KEY) === release) return;
    sessionStorage.setItem(STORAGE_KEY, release);
    location.reload();
  } catch {
    /** Without storage the reload could repeat forever. The button is still there. */
  }
}
