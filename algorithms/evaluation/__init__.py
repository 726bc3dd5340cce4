"""How good a classifier is: its errors at every threshold, and over many folds."""
