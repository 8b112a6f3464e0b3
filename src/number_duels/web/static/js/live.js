/** What happens at a table, as it happens: a stream that comes back by itself. */

/** @typedef {import("./types.js").View} View */

const MIN_RETRY_DELAY_MS = 500;
const MAX_RETRY_DELAY_MS = 8000;

/**
 * Follow a table. The first view after each connection is the current one, whatever was missed.
 * @param {string} id
 * @param {(view: View) => void} onView
 * @param {(connected: boolean) => void} onState
 */
export function follow(id, onView, onState) {
  let wait = MIN_RETRY_DELAY_MS;
  let timer = 0;
  /** @type {EventSource | null} */
  let source = null;

  function connect() {
    clearTimeout(timer);
    source?.close();
    const stream = new EventSource(`/api/games/${id}/events`);
    source = stream;
    stream.addEventListener("view", (event) => {
      wait = MIN_RETRY_DELAY_MS;
      onState(true);
      onView(JSON.parse(event.data));
    });
    stream.addEventListener("error", () => {
      stream.close();
      onState(false);
      timer = setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(MAX_RETRY_DELAY_MS, wait * 2);
    });
  }

  const again = () => {
    if (source?.readyState !== EventSource.OPEN) connect();
  };
  addEventListener("online", again);
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("pagehide", () => source?.close());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
  connect();
}
