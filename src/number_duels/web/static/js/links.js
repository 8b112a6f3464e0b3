/** Links for other devices: the address of this server, and a QR code of a link. */

import { get, post } from "./api.js";
import { alone } from "./transport.js";

/** Host names that only this machine can open. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Return the origin for links that other devices can open, or "" if there is none.
 * @returns {Promise<string>}
 */
export async function sharedOrigin() {
  if (alone || !LOOPBACK.test(location.hostname)) return location.origin;
  const { addresses } = await get("/api/addresses");
  return addresses.length ? new URL(addresses[0]).origin : "";
}

/**
 * Return a link as a QR code.
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
