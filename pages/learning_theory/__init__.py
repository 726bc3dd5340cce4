"""Learning theory: what can be learned at all, and from how many examples."""

from pages._shared.lab.sections import Section

SECTION = Section("Theory", 9)
