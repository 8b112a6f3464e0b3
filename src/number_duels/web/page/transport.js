/**
 * How this page asks Python, which the page around it runs, and how pages are addressed. On a server,
 * `web/static/js/transport.js` stands here.
 */

/** True if there is no server, so that nobody else can be reached. */
export const alone = true;

/** What to say if a request does not arrive. */
export const UNREACHABLE = "That was interrupted; try again.";

const SHELL = new URL("../../", location.href);
const MIN_SIGNS_MS = 5000;
/** A `Response` with one of these has no body. */
const EMPTY = [204, 205, 304];

/** What the page around offers. Without it, this page leaves for that one, and nothing is answered. @type {any} */
const shell = parent === window ? { send: () => new Promise(() => {}), openEvents: () => () => {} } : parent.shell;
if (parent === window) location.replace(`${SHELL}#${location.search.slice(1)}${location.hash}`);

/**
 * A request is answered however long it takes, since no connection can be lost.
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Response>}
 */
export async function send(path, { method = "GET", headers = {}, body = "" } = {}) {
  const answer = await shell.send({ method, path, headers, body });
  return new Response(EMPTY.includes(answer.status) ? null : answer.body, { status: answer.status, headers: answer.headers });
}

/** The events of a stream, with the methods of an `EventSource` that the pages use. */
class Events extends EventTarget {
  /** @param {string} path */
  constructor(path) {
    super();
    const decoder = new TextDecoder();
    let unread = "";
    this.end = shell.openEvents(path, (/** @type {Uint8Array} */ chunk) => {
      unread += decoder.decode(chunk, { stream: true });
      const [...whole] = unread.split("\n\n");
      unread = whole.pop() ?? "";
      for (const text of whole) this.read(text);
    });
    // Python may be busy for longer than a server is silent.
    this.signs = setInterval(() => this.tell("alive", JSON.stringify({ every_s: MIN_SIGNS_MS / 1000 })), MIN_SIGNS_MS);
  }

  /** @param {string} text */
  read(text) {
    const fields = Object.fromEntries(text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
    if (fields.event) this.tell(fields.event, fields.data);
  }

  /**
   * @param {string} kind
   * @param {string} data
   */
  tell(kind, data) {
    this.dispatchEvent(new MessageEvent(kind, { data }));
  }

  close() {
    clearInterval(this.signs);
    this.end();
  }
}

/** @param {string} path */
export const openEvents = (path) => new Events(path);

/** Return the address of this page, as the server knows it. */
export const here = () => new URL(location.search.slice(1) + location.hash, location.origin);

/** @param {string} path */
export const go = (path) => shell.go(path);

/**
 * Change the address of this page.
 * @param {string} path
 * @param {boolean} [push] true to add an entry to the history
 */
export function setAddress(path, push = false) {
  history.replaceState(null, "", `?${path}`);
  shell.setAddress(path, push);
}

/**
 * Return the address of a page for other people.
 * @param {string} path
 */
export const publicAddress = (path) => `${SHELL}#${path}`;

/** Make the links below an element lead to pages of the shell, also in a tab of their own. */
function readdress() {
  for (const link of document.querySelectorAll('a[href^="/"]:not([download])')) {
    link.setAttribute("href", publicAddress(link.getAttribute("href") ?? ""));
    if (!link.hasAttribute("target")) link.setAttribute("target", "_top");
  }
}

/** @param {HTMLAnchorElement} link */
async function download(link) {
  const answer = await send(link.getAttribute("href") ?? "");
  const url = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href: url, download: link.download }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}

// The style hides what needs a server.
document.documentElement.classList.add("alone");
readdress();
new MutationObserver(readdress).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented) return;
  const href = link.getAttribute("href") ?? "";
  if (link.hasAttribute("download") && href.startsWith("/")) {
    event.preventDefault();
    download(link);
  } else if (href.startsWith("#")) {
    event.preventDefault();
    shell.go(`${location.search.slice(1)}${href}`);
  } else if (link.target === "_top") {
    event.preventDefault();
    shell.go(link.hash.slice(1));
  }
});
