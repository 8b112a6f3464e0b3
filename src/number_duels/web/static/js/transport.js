/**
 * How this page asks its server, and how pages are addressed. A page without a server has
 * `web/page/transport.js` instead.
 */

/** True if there is no server, so that nobody else can be reached. */
export const alone = false;

/** What to say if a request does not arrive. */
export const UNREACHABLE = "The server cannot be reached; try again in a moment.";

/**
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<Response>}
 */
export const send = (path, request) => fetch(path, { credentials: "same-origin", ...request });

/**
 * @param {string} path
 * @returns {EventSource}
 */
export const openEvents = (path) => new EventSource(path);

/**
 * Return the address of this page, as the server knows it.
 * @returns {{pathname: string, search: string, hash: string}}
 */
export const here = () => location;

/** @param {string} path */
export const go = (path) => location.assign(path);

/**
 * Change the address of this page.
 * @param {string} path
 * @param {boolean} [push] true to add an entry to the history
 */
export const setAddress = (path, push = false) => history[push ? "pushState" : "replaceState"](null, "", path);

/**
 * Return the address of a page for other people.
 * @param {string} path
 * @param {string} [origin] as other devices know it
 */
export const publicAddress = (path, origin = location.origin) => `${origin}${path}`;
