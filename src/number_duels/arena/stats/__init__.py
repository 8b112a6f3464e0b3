"""The statistics of an arena: pairs, luck, intervals, ratings and early stopping."""
