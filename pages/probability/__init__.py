"""Probability: what is known before and after an observation."""

from pages._shared.lab.sections import Section

SECTION = Section("Probability", 10)
