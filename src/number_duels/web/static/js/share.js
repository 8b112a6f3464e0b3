/** Texts and links to copy and share. */

import { fill, h, speak } from "./dom.js";
import { sharedOrigin } from "./links.js";
import { publicAddress } from "./transport.js";

/**
 * Copy a text. Pages over plain http have no `navigator.clipboard`, so copy a selection there.
 * @param {string} text
 * @returns {Promise<boolean>} false if the browser refuses
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const held = document.activeElement;
    const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "unseen", readonly: true, "aria-hidden": "true" }, text));
    (held?.closest("dialog") ?? document.body).append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    if (held instanceof HTMLElement) held.focus();
    return copied;
  }
}

/**
 * Draw a button that copies a text and says whether that worked.
 * @param {string} label
 * @param {() => string} text
 * @param {string} [style]
 */
export function copyButton(label, text, style = "") {
  const button = h("button", { type: "button", class: style || null, "data-key": "copy", onclick: async () => {
    const said = (await copyText(text())) ? "Copied" : "Copying failed; select the text and copy it";
    fill(button, said);
    speak(`${said}.`);
  } }, label);
  return button;
}

/**
 * Draw the squares of a line in the page's own colors. They stay emoji for readers and for copies.
 * @param {string} line
 */
const drawSquares = (line) => line.split(/(🟩|⬛)/u).map((part, index) => (index % 2 ? h("i", { class: part === "🟩" ? "square right" : "square" }, part) : part));

/**
 * Draw a line to share, with an address for others to open.
 * @param {string} line
 * @param {string} path
 */
export function drawShare(line, path) {
  const address = h("span", { class: "address" });
  let text = line;
  const show = (/** @type {string} */ origin) => {
    const link = publicAddress(path, origin);
    text = `${line}\n${link}`;
    fill(address, link);
  };
  if (path) {
    show(location.origin);
    /** Others can't open an address that works only on this machine. */
    sharedOrigin().then((origin) => origin && show(origin), () => {});
  }
  return h("div", { class: "squares" }, h("p", {}, h("span", {}, drawSquares(line)), address), copyButton("Copy", () => text));
}
