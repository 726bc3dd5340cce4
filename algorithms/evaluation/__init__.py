"""How good is a classifier, and how sure is one of that: thresholds, folds, intervals, tests."""
