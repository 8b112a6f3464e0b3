/** Parts of a table's menu: a confirmation dialog and the keyboard shortcuts. */

import { h } from "./dom.js";
import { recall, remember } from "./storage.js";

const STORAGE_KEY = "duels-keys";

/**
 * Create a dialog that asks for confirmation.
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {() => void} onYes
 * @returns {HTMLDialogElement}
 */
export function confirmation(title, text, yes, onYes) {
  const confirm = () => {
    dialog.close();
    onYes();
  };
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { "aria-labelledby": "confirm-title" },
      h("h2", { id: "confirm-title" }, title),
      h("p", {}, text),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Go on playing"),
        h("button", { type: "button", class: "danger", onclick: confirm }, yes),
      ),
    )
  );
  return dialog;
}

/**
 * Draw a switch for single-key shortcuts, which can conflict with assistive tools.
 * @returns {{element: HTMLElement, on: () => boolean}}
 */
export function shortcuts() {
  let on = recall(STORAGE_KEY) !== "off";
  const change = (/** @type {Event} */ event) => {
    on = /** @type {HTMLInputElement} */ (event.target).checked;
    remember(STORAGE_KEY, on ? "on" : "off");
  };
  const element = h(
    "label",
    { class: "switch", title: "Digits and first letters select an answer, arrows move, Enter plays, Escape goes a step back" },
    h("input", { type: "checkbox", checked: on, "data-key": "keys", onchange: change }),
    " Select answers with digit and letter keys",
  );
  return { element, on: () => on };
}
