/** Data that this browser keeps for the page. If the browser refuses, nothing is kept. */

import { alone } from "./transport.js";

const TRIAL = "duels-trial";
const NAME_KEY = "duels-name";

/** @param {string} key */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} key
 * @param {string} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Refused or full. `remembers` reports it where it matters.
  }
}

/** Return true if the browser keeps data. */
export function remembers() {
  try {
    localStorage.setItem(TRIAL, "yes");
    localStorage.removeItem(TRIAL);
    return true;
  } catch {
    return false;
  }
}

/** Test if cookies work. A browser that refuses them may still say that it has them. */
export function takesCookies() {
  if (alone) return true;
  document.cookie = `${TRIAL}=yes; SameSite=Strict; Path=/`;
  const taken = document.cookie.includes(TRIAL);
  document.cookie = `${TRIAL}=; SameSite=Strict; Path=/; Max-Age=0`;
  return taken;
}

export const keptName = () => recall(NAME_KEY);

/** @param {string} name */
export function keepName(name) {
  if (name) remember(NAME_KEY, name);
}
