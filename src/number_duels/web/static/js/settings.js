/** Form fields for a game's settings, from the catalogue. */

import { h } from "./dom.js";

/**
 * Draw a field for every setting except `first`, which is drawn elsewhere.
 * @param {GameInfo} game
 * @param {Record<string, number | string>} [values]
 */
export function settingFields(game, values = {}) {
  return Object.entries(game.settings)
    .filter(([name]) => name !== "first")
    .map(([name, setting]) => {
      const id = `set-${name}`;
      const value = values[name] ?? setting.default;
      return h(
        "div",
        { class: "field" },
        h("label", { for: id }, labelOf(name, setting)),
        setting.choices.length > 0 ? choice(id, name, setting, value) : amount(id, name, game, value),
        h("p", { class: "note", id: `${id}-note` }, `${setting.meaning}${range(game, setting)}`),
      );
    });
}

/**
 * Return the settings in a form that differ from the defaults.
 * @param {FormData} data
 * @param {GameInfo} game
 * @returns {Record<string, number | string>}
 */
export function changed(data, game) {
  /** @type {Record<string, number | string>} */
  const found = {};
  for (const [name, setting] of Object.entries(game.settings)) {
    const typed = data.get(`set-${name}`);
    if (typeof typed !== "string" || typed === "" || typed === String(setting.default)) continue;
    found[name] = typeof setting.default === "number" ? Number(typed) : typed;
  }
  return found;
}

/**
 * Return true if the server solves the game with these settings. The catalogue lists the largest ones,
 * and says if those of the document are solved besides.
 * @param {GameInfo} game
 * @param {Record<string, number | string>} values
 */
export const isSolved = (game, values) =>
  (game.default_solved && Object.keys(values).every((name) => game.settings[name].choices.length > 0)) ||
  game.solved.some((largest) => Object.entries(largest).every(([name, most]) => Number(values[name] ?? game.settings[name].default) <= most));

/**
 * Return the label of a setting in a form.
 * @param {string} name
 * @param {Setting} setting
 */
export function labelOf(name, setting) {
  const label = setting.label || name;
  return label.charAt(0).toUpperCase() + label.slice(1).replaceAll("_", " ");
}

/**
 * Return what a form shows for a value.
 * @param {Setting} setting
 * @param {number | string} value
 */
export const valueInWords = (setting, value) => setting.words?.[setting.choices.indexOf(value)] ?? String(value);

/**
 * @param {string} id
 * @param {string} name
 * @param {Setting} setting
 * @param {number | string} value
 */
const choice = (id, name, setting, value) =>
  h("select", { id, name: `set-${name}`, "aria-describedby": `${id}-note` },
    setting.choices.map((each) => h("option", { value: each, selected: String(each) === String(value) }, valueInWords(setting, each))));

/**
 * @param {string} id
 * @param {string} name
 * @param {GameInfo} game
 * @param {number | string} value
 */
const amount = (id, name, game, value) =>
  h("input", { id, name: `set-${name}`, type: "number", inputmode: "numeric", required: true, min: game.settings[name].low, max: highest(game, game.settings[name]), value, "aria-describedby": `${id}-note` });

/**
 * Return the highest value of a setting, which may be the value of another setting.
 * @param {GameInfo} game
 * @param {Setting} setting
 * @returns {number | string}
 */
const highest = (game, setting) => (typeof setting.high === "string" ? game.settings[setting.high].high : setting.high);

/**
 * @param {GameInfo} game
 * @param {Setting} setting
 */
function range(game, setting) {
  if (setting.choices.length > 0) return "";
  const high = typeof setting.high === "string" ? `the number of ${setting.high}` : highest(game, setting);
  return ` (${setting.low} to ${high})`;
}
