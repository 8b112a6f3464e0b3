/** What can be chosen about exercises: a few short lists in a row. */

import { h } from "./dom.js";

/** Lists by name: what each is called, and its values with their words. @typedef {Record<string, [string, [string, string][]]>} Choices */

/**
 * @param {Choices} choices
 * @param {Record<string, string>} chosen changed by who chooses
 * @param {() => void} onChange
 */
export function drawChoices(choices, chosen, onChange) {
  const field = (/** @type {string} */ name) => {
    const [label, options] = choices[name];
    const change = (/** @type {Event} */ event) => {
      chosen[name] = /** @type {HTMLSelectElement} */ (event.target).value;
      onChange();
    };
    return h("label", {}, label, h("select", { name, onchange: change }, options.map(([value, words]) => h("option", { value, selected: chosen[name] === value }, words))));
  };
  return h("div", { class: "scope" }, Object.keys(choices).map(field));
}
