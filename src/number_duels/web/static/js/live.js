/** What happens in the games of this page, as it happens: over one stream for the whole browser. */

import { get } from "./api.js";
import { h, speak } from "./dom.js";
import { GameStream } from "./stream.js";

/** @typedef {import("./stream.js").News} News */

/** @typedef {{view: (view: View) => void, state: (connected: boolean) => void, gone: () => void}} Follower */

const WORKER_TIMEOUT_MS = 12_000;

/** @type {Map<string, Set<Follower>>} */
const followers = new Map();
/** @type {((what: string, id?: string) => void) | null} */
let say = null;

/** @param {News} news */
function hear(news) {
  if (news.kind === "release") noticeRelease(news.release);
  else if (news.kind === "state") for (const each of all()) each.state(news.connected);
  else for (const each of [...(followers.get(news.id) ?? [])]) news.kind === "view" ? each.view(news.view) : each.gone();
}

const all = () => [...followers.values()].flatMap((some) => [...some]);

/** A stream that tabs share, where the browser has that; else one of this tab's own. */
function connect() {
  try {
    const worker = new SharedWorker(new URL("./stream_worker.js", import.meta.url), { type: "module", name: "number-duels" });
    // It says something within its own patience; if not, the script of it has never arrived.
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
    addEventListener("pagehide", () => worker.port.postMessage({ what: "close" }));
    say = (what, id) => worker.port.postMessage({ what, id });
  } catch {
    useOwnStream();
  }
}

/** Without a shared stream, a tab that nobody looks at has none. */
function useOwnStream() {
  const stream = new GameStream(hear);
  say = (what, id = "") => {
    if (what === "again") stream.again();
    else if (document.visibilityState === "visible" || what === "leave") what === "follow" ? stream.follow(id) : stream.leave(id);
  };
  const look = () => (document.visibilityState === "visible" ? followAgain() : stream.stop());
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", () => stream.stop());
  followAgain();
}

async function followAgain() {
  for (const [id, some] of followers) {
    // To ask for a view is also what lets this browser follow the game.
    await get(`/api/games/${id}`).then(
      (view) => [...some].forEach((each) => each.view(view)),
      (problem) => problem.status === 404 && [...some].forEach((each) => each.gone()),
    );
    if (followers.has(id)) say?.("follow", id);
  }
}

/**
 * Follow a game whose view was just asked for, while it is played; and when it has ended, until
 * there is a rematch or nobody looks any more.
 * @param {string} id
 * @param {(view: View) => void} onView
 * @param {(connected: boolean) => void} onState
 * @param {() => void} [onGone]
 * @returns {() => void} follows it no longer
 */
export function follow(id, onView, onState, onGone = () => {}) {
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
    gone: () => {
      leave();
      onGone();
    },
  };
  followers.set(id, (followers.get(id) ?? new Set()).add(follower));
  document.addEventListener("visibilitychange", () => over && document.visibilityState === "hidden" && leave());
  say?.("follow", id);
  return leave;
}

addEventListener("online", () => say?.("again"));
addEventListener("pageshow", (event) => event.persisted && followAgain());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && say?.("again"));

const STORAGE_KEY = "duels-reloaded-for";
const own = document.querySelector("meta[name=release]")?.getAttribute("content");
let offered = false;

/**
 * Take note of what release the server has.
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
 * Where servers of both releases run at once, the next page may be the old one again.
 * @param {string} release
 */
function reloadOnce(release) {
  try {
    if (sessionStorage.getItem(STORAGE_KEY) === release) return;
    sessionStorage.setItem(STORAGE_KEY, release);
    location.reload();
  } catch {
    // Without storage nobody would know that it was done before; the button is still there.
  }
}
