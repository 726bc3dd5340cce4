"""Lines by formula, by gradient descent, and against outliers."""
