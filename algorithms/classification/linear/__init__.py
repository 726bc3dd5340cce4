"""Straight borders: perceptron, logistic regression, Fisher, least squares, nearest mean."""
