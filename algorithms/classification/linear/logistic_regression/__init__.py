"""Logistic regression, its loss over two weights, and what is known of a run as a whole."""
