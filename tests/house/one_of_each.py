"""One lab of every subject, for ordinary tests of what a long walk does in all labs."""

from collections.abc import Iterable
from itertools import groupby

import pytest

from pages._shared.lab.catalogue import LabFile


def one_of_each(labs: Iterable[LabFile]) -> list[LabFile]:
    """Return the first lab of every subject."""
    return [next(these) for _, these in groupby(labs, key=lambda lab: lab.section.title)]


def the_others_long(labs: list[LabFile]) -> pytest.MarkDecorator:
    """Parametrise a test by lab: one of each subject is an ordinary test, the others are long."""
    first = one_of_each(labs)
    marked = [lab if lab in first else pytest.param(lab, marks=pytest.mark.long) for lab in labs]
    return pytest.mark.parametrize("lab", marked, ids=lambda lab: lab.name)
