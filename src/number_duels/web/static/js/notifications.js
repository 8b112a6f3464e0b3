/** Tells users who look at another tab that it is their turn: by title, icon and notification. */

import { go, here } from "./transport.js";
import { shownNames } from "./words.js";

const ICON = new URL("../favicon.svg", import.meta.url).href;
const TURN_ICON = new URL("../favicon-turn.svg", import.meta.url).href;

/**
 * Show in the title and the icon how many games wait for the user.
 * @param {string} title
 * @param {number} waiting
 */
export function markTab(title, waiting) {
  document.title = `${waiting > 1 ? `(${waiting}) ` : waiting ? "● " : ""}${title}`;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const wanted = waiting ? TURN_ICON : ICON;
  if (icon && icon.href !== wanted) icon.href = wanted;
}

/**
 * Notify a user who is looking elsewhere that a game is waiting.
 * @param {View} view
 */
export function tell(view) {
  if (view.you === null || (document.visibilityState === "visible" && document.hasFocus())) return;
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  notify(view.title, `${view.scene.headline}: ${shownNames(view).join(" – ")}`, view.id, () => {
    if (!here().pathname.endsWith(view.id)) go(`/play/${view.id}`);
  });
}

/**
 * Show a notification. Return false if the browser does not allow it, as on some phones.
 * @param {string} title
 * @param {string} body
 * @param {string} tag
 * @param {() => void} [onOpen]
 */
export function notify(title, body, tag, onOpen = () => {}) {
  try {
    const shown = new Notification(title, { body, tag, icon: TURN_ICON });
    shown.onclick = () => {
      focus();
      onOpen();
      shown.close();
    };
    return true;
  } catch {
    return false;
  }
}
