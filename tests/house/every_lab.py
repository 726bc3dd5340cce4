"""What holds in every lab: one lab of each subject in the ordinary tests, the others thorough."""

from itertools import groupby

import pytest

from pages._shared.lab.catalogue import LABS, LabFile

FIRST = [next(labs) for _, labs in groupby(LABS, key=lambda lab: lab.section.title)]


def marks(lab: LabFile) -> list[pytest.MarkDecorator]:
    """Return the marks of a test in a lab: none in the first lab of a subject."""
    return [] if lab in FIRST else [pytest.mark.thorough]


def every(labs: list[LabFile]) -> pytest.MarkDecorator:
    """Parametrise a test by lab."""
    marked = [pytest.param(lab, marks=marks(lab)) for lab in labs]
    return pytest.mark.parametrize("lab", marked, ids=lambda lab: lab.name)


EVERY_LAB = every(LABS)
