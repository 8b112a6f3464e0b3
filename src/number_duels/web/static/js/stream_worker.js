/** The stream shared by all tabs, because a browser allows only six connections per server. */

import { GameStream } from "./stream.js";

/** The games that each tab follows. The value is true if the tab only glances at the game. @type {Map<MessagePort, Map<string, boolean>>} */
const tabs = new Map();
const stream = new GameStream((news) => {
  for (const [port, games] of tabs) if (!("id" in news) || games.has(news.id)) port.postMessage(news);
});

/**
 * Stop following a game for a tab.
 * @param {MessagePort} port
 * @param {string} id
 */
function leave(port, id) {
  tabs.get(port)?.delete(id);
  if ([...tabs.values()].some((games) => games.has(id))) stream.look(id, glances(id));
  else stream.leave(id);
}

/**
 * Return true if no tab is at the table of a game.
 * @param {string} id
 */
const glances = (id) => [...tabs.values()].every((games) => games.get(id) !== false);

/** @param {MessagePort} port */
function close(port) {
  for (const id of [...(tabs.get(port)?.keys() ?? [])]) leave(port, id);
  tabs.delete(port);
}

addEventListener("connect", (event) => {
  const port = /** @type {MessageEvent} */ (event).ports[0];
  /** @type {Map<string, boolean>} */
  const games = new Map();
  tabs.set(port, games);
  port.addEventListener("message", ({ data: { what, id, glance } }) => {
    tabs.set(port, games);
    if (what === "follow") {
      games.set(id, glance);
      stream.follow(id, glances(id));
    } else if (what === "leave") leave(port, id);
    else if (what === "again") stream.again();
    // The tab holds this lock until it ends.
    else if (what === "lock") navigator.locks.request(id, () => close(port));
    else close(port);
  });
  // Not every browser sends this event. Tabs also say goodbye themselves if they can.
  port.addEventListener("close", () => close(port));
  port.start();
  if (!stream.connected) port.postMessage({ kind: "state", connected: false });
});
