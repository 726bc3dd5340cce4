"""What holds in every lab: ordinary tests in one lab of each kind, thorough ones in the others."""

import pytest

from pages._shared.lab.catalogue import LABS, LabFile


def kind(lab: LabFile) -> tuple[str, bool]:
    """Return what a lab gives, and whether it uses the board."""
    return lab.section.gives, lab.board


def shortest(labs: list[LabFile]) -> LabFile:
    """Return the lab with the fewest experiments."""
    return min(labs, key=lambda lab: len(lab.experiments))


BOARDS = [lab for lab in LABS if lab.board]
KINDS = list(dict.fromkeys(map(kind, LABS)))
SHORTEST = [shortest([lab for lab in LABS if kind(lab) == each]) for each in KINDS]


def marks(lab: LabFile, ordinary: list[LabFile] = SHORTEST) -> list[pytest.MarkDecorator]:
    """Return the marks of a test in a lab."""
    return [] if lab in ordinary else [pytest.mark.thorough]


def every(labs: list[LabFile], ordinary: list[LabFile] = SHORTEST) -> pytest.MarkDecorator:
    """Parametrise a test by lab."""
    marked = [pytest.param(lab, marks=marks(lab, ordinary)) for lab in labs]
    return pytest.mark.parametrize("lab", marked, ids=lambda lab: lab.name)


EVERY_LAB = every(LABS)
EVERY_BOARD = every(BOARDS)
IN_BROWSER = every(
    LABS, [next(lab for lab in SHORTEST if lab.board is board) for board in (True, False)]
)
