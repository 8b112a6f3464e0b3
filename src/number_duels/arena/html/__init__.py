"""An arena's report as one HTML page."""

#: Which of all pages are reports, and may be written again.
TITLE = "<title>Arena report</title>"
