"""Ensembles: many trees that decide together."""

from pages._shared.lab.sections import Section

SECTION = Section("Ensembles", 2, two_classes=True, numbers=("gradient_boosting",))
