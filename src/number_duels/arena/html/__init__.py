"""An arena's report as one HTML page."""
