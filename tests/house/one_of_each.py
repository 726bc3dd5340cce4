"""One lab of every subject: for ordinary tests of what a long walk does in all labs."""

from itertools import groupby

import pytest

from pages._shared.labs import LABS

ONE_OF_EACH = [next(labs) for _, labs in groupby(LABS, key=lambda lab: lab.section.title)]

# All labs: those of ONE_OF_EACH in the ordinary tests, the others in the long walks.
THE_OTHERS_LONG = pytest.mark.parametrize(
    "lab",
    [lab if lab in ONE_OF_EACH else pytest.param(lab, marks=pytest.mark.long) for lab in LABS],
    ids=lambda lab: lab.name,
)
