"""Logistic regression, its loss over two weights, and the summary of a run."""
