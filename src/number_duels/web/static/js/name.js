/** A player's own name, remembered on this device. */

const STORAGE_KEY = "duels-name";

export const keptName = () => localStorage.getItem(STORAGE_KEY) ?? "";

/** @param {string} name */
export function keepName(name) {
  if (name) localStorage.setItem(STORAGE_KEY, name);
}
