"""Arena statistics: intervals, corrections for luck, ratings and early stopping."""
