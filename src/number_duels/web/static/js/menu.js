/** Small things beside a table: a question before what cannot be undone, and the keys. */

import { h } from "./dom.js";
import { recall, remember } from "./storage.js";

const STORAGE_KEY = "duels-keys";

/**
 * A dialog that asks once more.
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
 * Whether keys choose answers, with a switch; single keys can be in the way of some tools.
 * @returns {{element: HTMLElement, on: () => boolean}}
 */
export function shortcuts() {
  const on = () => recall(STORAGE_KEY) !== "off";
  const element = h(
    "label",
    { class: "switch", title: "Digits and first letters choose an answer, Escape goes a step back" },
    h("input", { type: "checkbox", checked: on(), "data-key": "keys", onchange: (event) => remember(STORAGE_KEY, event.target.checked ? "on" : "off") }),
    " Keys choose answers",
  );
  return { element, on };
}
