"""How good a classifier is, and how sure that is: thresholds, folds, intervals, tests."""
