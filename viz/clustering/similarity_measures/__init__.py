"""Measures of similarity: between points, and between rows of yes-or-no features."""
