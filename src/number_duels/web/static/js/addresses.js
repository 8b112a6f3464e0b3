/** The address by which other devices reach this server. */

import { get } from "./api.js";

/** Names under which only this machine knows itself. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Whether this page was opened by a name that means nothing elsewhere. */
export const isLoopback = () => LOOPBACK.test(location.hostname);

/**
 * The origin for links that are opened elsewhere; empty if only this machine can open any.
 * @returns {Promise<string>}
 */
export async function sharedOrigin() {
  if (!isLoopback()) return location.origin;
  const { addresses } = await get("/api/addresses");
  return addresses.length ? new URL(addresses[0]).origin : "";
}
