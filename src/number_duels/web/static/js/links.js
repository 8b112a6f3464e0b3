/** Links that other devices open: the address of this server, and a picture of a link. */

import { get, post } from "./api.js";

/** Names under which only this machine knows itself. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * The origin for links that are opened elsewhere; empty if only this machine can open any.
 * @returns {Promise<string>}
 */
export async function sharedOrigin() {
  if (!LOOPBACK.test(location.hostname)) return location.origin;
  const { addresses } = await get("/api/addresses");
  return addresses.length ? new URL(addresses[0]).origin : "";
}

/**
 * A link as a picture that a phone can read.
 * @param {string} link
 * @param {string} label
 * @returns {Promise<Element>}
 */
export async function drawCode(link, label) {
  const { svg } = await post("/api/qr", { text: link });
  const picture = /** @type {Element} */ (new DOMParser().parseFromString(svg, "text/html").body.firstElementChild);
  for (const [name, value] of Object.entries({ class: "code", role: "img", "aria-label": label })) picture.setAttribute(name, value);
  return picture;
}
