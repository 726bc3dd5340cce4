"""Sequences: what happens in time, one thing after the other."""

from pages._shared.lab.sections import Section

SECTION = Section("Sequences", 8)
