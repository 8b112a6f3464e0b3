/** Dates in the user's time zone. */

/** Return the local date as YYYY-MM-DD. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * Return a date in short form.
 * @param {string} time
 */
export const day = (time) => new Date(time).toLocaleDateString("en", { day: "numeric", month: "short" });

/** Return the time until midnight, such as "5 h 12 min". */
export function untilTomorrow() {
  const now = new Date();
  const minutes = Math.ceil((new Date(now).setHours(24, 0, 0, 0) - now.getTime()) / 60_000);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
