// Elements of a page by steps, as Playwright's locators find them; put before scripts that use them.
const ROLES = {
  button: "button, [role=button]",
  checkbox: "input[type=checkbox], [role=checkbox]",
  dialog: "dialog, [role=dialog]",
  heading: "h1, h2, h3, h4",
  link: "a[href], [role=link]",
  listitem: "li, [role=listitem]",
  radio: "input[type=radio], [role=radio]",
  textbox: "input:not([type]), input[type=text], textarea",
};
const plain = (text) => (text ?? "").replace(/\s+/g, " ").trim();
const same = (text, wanted, exact) =>
  exact ? plain(text) === plain(wanted) : plain(text).toLowerCase().includes(plain(wanted).toLowerCase());
const seen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
const nameOf = (element) =>
  element.getAttribute("aria-label") ?? (element.labels?.length ? element.labels[0].textContent : element.textContent);
const within = (scope, selector) => [...scope.querySelectorAll(selector)];
const deepest = (all) => all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
const STEPS = {
  css: within,
  role: (scope, role, name, exact) =>
    within(scope, ROLES[role]).filter((one) => seen(one) && (name === null || same(nameOf(one), name, exact))),
  label: (scope, text, exact) =>
    within(scope, "input, select, textarea, [aria-label]").filter((one) => same(nameOf(one), text, exact)),
  text: (scope, text, exact) =>
    deepest(within(scope, ":not(head, head *, script, noscript)").filter((one) => same(one.textContent, text, exact))),
};

function find(steps) {
  let found = [document];
  for (const [kind, ...rest] of steps) {
    if (kind === "nth") found = [found.at(rest[0])].filter(Boolean);
    else if (kind === "with") found = found.filter((one) => same(one.textContent, rest[0], false));
    else found = [...new Set(found.flatMap((scope) => STEPS[kind](scope, ...rest)))];
  }
  return found;
}
