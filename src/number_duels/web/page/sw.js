/**
 * Keeps all files of this page, so that it opens without a network. Files are kept by their contents:
 * an update loads only what has changed, and is used once no tab shows the old page.
 */

const BASE = new URL("./", location.href);
const NAME = `number-duels ${BASE.pathname}`;
/** What each file contains, as a hash. @type {Record<string, string>} */
const FILES = $files;
const RELEASE = "$release/";

/** @param {string} hash */
const key = (hash) => new URL(`contents/${hash}`, BASE).href;

async function install() {
  const cache = await caches.open(NAME);
  for (const [path, hash] of Object.entries(FILES)) {
    if (await cache.match(key(hash))) continue;
    // What is in the folder of a release never changes.
    const answer = await fetch(new URL(path, BASE), { cache: path.startsWith(RELEASE) ? "default" : "no-cache" });
    if (!answer.ok) throw new Error(`${path} can't be loaded.`);
    await cache.put(key(hash), answer);
  }
}

/** Forget the files of older versions. */
async function activate() {
  const cache = await caches.open(NAME);
  const used = new Set(Object.values(FILES).map(key));
  for (const request of await cache.keys()) if (!used.has(request.url)) await cache.delete(request);
  await clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const { origin, pathname } = new URL(request.url);
  const path = origin === BASE.origin && pathname.startsWith(BASE.pathname) ? pathname.slice(BASE.pathname.length) || "index.html" : "";
  const kept = path in FILES && (await (await caches.open(NAME)).match(key(FILES[path])));
  return kept || fetch(request);
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => event.request.method === "GET" && event.respondWith(answer(event.request)));
