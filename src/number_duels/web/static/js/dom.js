/**
 * Creates elements. Text is always set as text, so a name can never become markup.
 */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/** Number of spoken lines that stay in the page. */
const MAX_SPOKEN_LINES = 5;
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * Create an HTML element. Attributes `on…` are listeners, attributes `--…` are style properties.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * Create an SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  return dress(/** @type {SVGElement} */ (document.createElementNS(SVG_NAMESPACE, tag)), attributes, children);
}

/**
 * @template {HTMLElement | SVGElement} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {T}
 */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    if (child === false || child === null || child === undefined) return [];
    return [typeof child === "object" ? child : typeset(String(child))];
  });
}

/**
 * Return a text with true minus signs.
 * @param {string} text
 */
export const typeset = (text) => text.replace(/(?<=^|[\s(])-(?= ?\d)/g, "\u2212");

/**
 * Replace the content of an element. Children that stay are not removed, so that a click on them is
 * not lost. The focus stays on the element with the same `data-key`.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const held = document.activeElement;
  const key = held instanceof HTMLElement && element.contains(held) ? held.dataset.key : undefined;
  const wanted = nodes(children);
  for (const child of [...element.childNodes]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, index) => {
    const there = element.childNodes[index] ?? null;
    if (there !== child) element.insertBefore(typeof child === "string" ? document.createTextNode(child) : child, there);
  });
  if (key === undefined) return;
  const again = [...element.querySelectorAll("[data-key]")].find((found) => found instanceof HTMLElement && found.dataset.key === key);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * Return the element with an id. The page must have it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function at(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** A sum, a limit, a drop in winning chance, a share, or a word with a hyphen. */
const WHOLE = /(\d+ [-+\u2212/] \d+(?: = \d+)?[:.]?|\d[\d.]*% to \d[\d.]*%|\d+ (?:of|in) \d+(?: \p{L}+)?|\p{L}+-\p{L}+)/u;

/**
 * Return a text without line breaks inside a sum, a drop in winning chance, or a word with a
 * hyphen.
 * @param {string} text
 * @returns {Child[]}
 */
export const whole = (text) => text.split(WHOLE).map((part, index) => (index % 2 === 1 ? h("span", { class: "whole" }, part) : part)).filter(Boolean);

/**
 * Announce a text to screen readers. Earlier texts stay for a while, so that none is missed.
 * @param {string} text
 */
export function speak(text) {
  const place = at("speak");
  if (place.lastElementChild?.textContent === text) return;
  place.append(h("p", {}, text));
  while (place.childElementCount > MAX_SPOKEN_LINES) place.firstElementChild?.remove();
}

/**
 * Return true if a key press belongs to a field or dialog, or to a browser shortcut.
 * @param {KeyboardEvent} event
 */
export function typing(event) {
  const target = event.target;
  return (
    event.ctrlKey || event.metaKey || event.altKey ||
    (target instanceof Element && target.closest("input, select, textarea, dialog") !== null)
  );
}
