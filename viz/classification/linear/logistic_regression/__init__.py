"""The mode of logistic regression."""
