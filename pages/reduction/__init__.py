"""Reduction: fewer columns that keep the most."""

from pages._shared.sections import Section

SECTION = Section("Reduction", 5, presets=("real", "classes", "regression"), gives="places")
