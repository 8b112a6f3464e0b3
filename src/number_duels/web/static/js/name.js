/** A player's own name, remembered on this device. */

import { recall, remember } from "./storage.js";

const STORAGE_KEY = "duels-name";

export const keptName = () => recall(STORAGE_KEY);

/** @param {string} name */
export function keepName(name) {
  if (name) remember(STORAGE_KEY, name);
}
