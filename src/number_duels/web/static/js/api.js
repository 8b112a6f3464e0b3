/** The server's HTTP interface. */

import { UNREACHABLE, send } from "./transport.js";

/** An error response of the server, with its message. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {string} reason
   * @param {string} [needs] the field that the request lacks
   */
  constructor(status, reason, needs) {
    super(reason);
    this.status = status;
    this.needs = needs;
  }
}

const MAX_ATTEMPTS = 6;
const ANSWER_TIMEOUT_MS = 10_000;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * @param {string} path
 * @param {RequestInit} [request]
 * @returns {Promise<any>}
 */
async function ask(path, request) {
  const response = await send(path, request);
  const said = await response.json().catch(() => ({}));
  if (response.ok) return said;
  throw new Refused(response.status, said.error ?? `The server answered ${response.status}.`, said.needs);
}

/** @param {string} path */
export const get = (path) => ask(path);

/**
 * @param {string} path
 * @param {object} body
 */
export const post = (path, body = {}) => ask(path, posted(body));

/** @param {string} path */
export const remove = (path) => ask(path, { method: "DELETE" });

/** @param {object} body */
const posted = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/**
 * Send a request that may safely arrive twice, and retry until it has arrived.
 * @param {string} path
 * @param {object} body
 */
export async function deliver(path, body) {
  for (let left = MAX_ATTEMPTS; ; left -= 1) {
    try {
      // A dead connection gives no error, hence the timeout. A repeated request has no effect.
      return await ask(path, { ...posted(body), signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    } catch (problem) {
      const lost = !(problem instanceof Refused) || problem.status >= 500;
      if (!lost || left === 1) throw problem;
      await pause(400 * (MAX_ATTEMPTS - left + 1));
    }
  }
}

/** @returns {Promise<Catalogue>} */
export const catalogue = () => get("/api/catalogue");

/**
 * Return an error as a sentence for the user.
 * @param {unknown} problem
 */
export const sentence = (problem) =>
  problem instanceof Refused ? problem.message : UNREACHABLE;
