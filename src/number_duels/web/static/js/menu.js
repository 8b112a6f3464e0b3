/** Parts of a table's menu: a confirmation dialog, the keyboard shortcuts and the sound. */

import { h } from "./dom.js";
import { recall, remember } from "./storage.js";

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
        h("button", { type: "button", onclick: () => dialog.close() }, "Keep playing"),
        h("button", { type: "button", class: "danger", onclick: confirm }, yes),
      ),
    )
  );
  return dialog;
}

/**
 * Draw a switch that this browser remembers.
 * @param {string} key
 * @param {string} usual "on" or "off"
 * @param {string} label
 * @param {string} [title]
 * @returns {{element: HTMLElement, on: () => boolean}}
 */
function switchFor(key, usual, label, title) {
  let on = (recall(`duels-${key}`) || usual) === "on";
  const change = (/** @type {Event} */ event) => {
    on = /** @type {HTMLInputElement} */ (event.target).checked;
    remember(`duels-${key}`, on ? "on" : "off");
    if (on && key === "sound") chime();
  };
  const element = h("label", { class: "switch", title }, h("input", { type: "checkbox", checked: on, "data-key": key, onchange: change }), label);
  return { element, on: () => on };
}

/** Draw the list of keyboard shortcuts. */
export const keyHelp = () => h("p", { class: "note keys" }, "Keys: digits select an answer, arrow keys move the focus, Enter plays, h shows a hint, Escape goes back a step.");

/** Draw a switch for single-key shortcuts, which can conflict with assistive tools. */
export const shortcuts = () => switchFor("keys", "on", " Keyboard shortcuts", "Digits and first letters select an answer, arrow keys move the focus, Enter plays, Escape goes back a step");

export const soundSwitch = () => switchFor("sound", "off", " Sound when you win");

/** Frequencies of a rising fifth and octave, in Hz. */
const NOTES = [523.25, 783.99, 1046.5];
const NOTE_S = 0.14;
const VOLUME = 0.08;

/** Play a soft chime. */
export function chime() {
  const audio = new AudioContext();
  NOTES.forEach((frequency, index) => {
    const start = audio.currentTime + index * NOTE_S;
    const [tone, volume] = [new OscillatorNode(audio, { frequency }), new GainNode(audio, { gain: 0 })];
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(VOLUME, start + NOTE_S / 4);
    volume.gain.exponentialRampToValueAtTime(VOLUME / 100, start + 5 * NOTE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + 5 * NOTE_S);
    if (index === NOTES.length - 1) tone.onended = () => audio.close();
  });
}
