/** What this browser remembers for the page. A browser may refuse to; then nothing is remembered. */

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
    // Refused, or full; `remembers` says so where it matters.
  }
}

/** Whether anything is remembered. */
export function remembers() {
  try {
    localStorage.setItem(TRIAL, "yes");
    localStorage.removeItem(TRIAL);
    return true;
  } catch {
    return false;
  }
}

/** Whether cookies are taken; a browser that refuses them may still say that it has them. */
export function takesCookies() {
  document.cookie = `${TRIAL}=yes; SameSite=Strict; Path=/`;
  const taken = document.cookie.includes(TRIAL);
  document.cookie = `${TRIAL}=; SameSite=Strict; Path=/; Max-Age=0`;
  return taken;
}

/** A player's own name. */
export const keptName = () => recall(NAME_KEY);

/** @param {string} name */
export function keepName(name) {
  if (name) remember(NAME_KEY, name);
}
