// How the search of the site orders its results: headings, then guides, then the API reference.
var Scorer = {
  score: ([docname, , , , score, , kind]) =>
    score + (kind === "title" ? 20 : 0) - (docname.startsWith("api/") ? 20 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
