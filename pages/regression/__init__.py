"""Regression: numbers to predict."""

from pages._shared.sections import Section

SECTION = Section(
    "Regression",
    4,
    presets=("regression", "real", "classes"),
    first=("linear_regression", "linear_paths"),
    labelled=False,
    gives="numbers",
)
