"""Classification: which class does a point belong to?"""

from pages._shared.lab.sections import Section

SECTION = Section("Classification", 1, two_classes=True)
