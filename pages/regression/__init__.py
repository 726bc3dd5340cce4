"""Regression: numbers to predict."""

from pages._shared.lab.sections import NUMBERS, Section

SECTION = Section("Regression", 4, first=("linear_regression", "linear_paths"), **NUMBERS)
