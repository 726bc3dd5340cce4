"""Fewer columns that keep the most: principal components, kernel PCA."""
