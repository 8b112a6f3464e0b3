/** A player's own name, remembered on this device. */

const KEY = "duels-name";

export const keptName = () => localStorage.getItem(KEY) ?? "";

/** @param {string} name */
export function keepName(name) {
  if (name) localStorage.setItem(KEY, name);
}
