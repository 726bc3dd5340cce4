"""Ridge, the path of the lasso, and coordinate descent on a table."""
