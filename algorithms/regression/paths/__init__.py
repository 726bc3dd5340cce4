"""All weights against the penalty: ridge, lasso, coordinate descent."""
