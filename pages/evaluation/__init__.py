"""Evaluation: how good is a classifier, and how certain is that?"""

from pages._shared.lab.sections import Section

SECTION = Section("Evaluation", 7, first=("thresholds",), two_classes=True)
