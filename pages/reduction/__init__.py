"""Reduction: fewer columns that keep most of the information."""

from pages._shared.lab.sections import Section

SECTION = Section(
    "Reduction", 5, presets=("real", "classes", "regression"), gives="places",
    alone=("multidimensional_scaling", "unrolling"), drawings=("singular_values",),
)  # fmt: skip
