/** Dates where the user is. */

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
