"""Graphs: what is linked, and what neighbours say of each other."""

from pages._shared.lab.sections import Section

SECTION = Section(
    "Graphs", 11, presets=("classes", "real", "regression"),
    alone=("relational_neighbor",), drawings=("markov_random_field",),
)  # fmt: skip
