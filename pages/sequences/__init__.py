"""Sequences: observations that follow one another in time."""

from pages._shared.lab.sections import Section

SECTION = Section("Sequences", 8)
