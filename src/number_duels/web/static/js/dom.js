/**
 * Elements from data. Text is always set as text, so a name can never be markup.
 */

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/** How many of the last things said stay. */
const MAX_SPOKEN_LINES = 5;
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An HTML element; attributes named `on…` are listeners, those named `--…` properties of its style.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
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
    return [typeof child === "number" ? String(child) : child];
  });
}

/**
 * Put new content into an element, keeping the focus on what has the same `data-key`.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const held = document.activeElement;
  const key = held instanceof HTMLElement && element.contains(held) ? held.dataset.key : undefined;
  element.replaceChildren(...nodes(children));
  if (key === undefined) return;
  const again = [...element.querySelectorAll("[data-key]")].find((found) => found instanceof HTMLElement && found.dataset.key === key);
  if (again instanceof HTMLElement) again.focus();
}

/**
 * The element with an id, which the page must have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function at(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/**
 * Say something to who listens to the page instead of looking at it. What was said just
 * before stays, so that two things at once are both heard.
 * @param {string} text
 */
export function speak(text) {
  const place = at("speak");
  if (place.lastElementChild?.textContent === text) return;
  place.append(h("p", {}, text));
  while (place.childElementCount > MAX_SPOKEN_LINES) place.firstElementChild?.remove();
}

/**
 * Whether a key press belongs to a field that is being typed into.
 * @param {KeyboardEvent} event
 */
export function typing(event) {
  const target = event.target;
  return (
    event.ctrlKey || event.metaKey || event.altKey ||
    (target instanceof Element && target.closest("input, select, textarea, dialog") !== null)
  );
}
