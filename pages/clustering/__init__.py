"""Clustering: groups in points that nobody has labelled."""

from pages._shared.sections import Section

SECTION = Section("Clustering", 3, first=("k_means",), labelled=False)
