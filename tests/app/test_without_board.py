"""Labs without a board pass the same tests as the others."""

from typing import Any

import numpy as np
import pytest

from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.lab.compare import _alike
from pages._shared.lab.mode_tools import Lab
from tests.app.session import Session
from viz.core.scene import Run

APART = [lab for lab in LABS if not lab.board]
EVERY_LAB_APART = pytest.mark.parametrize("lab", APART, ids=lambda lab: lab.name)


def test_some_lab_has_no_board() -> None:
    assert APART


@EVERY_LAB_APART
def test_nothing_of_the_board_is_sent(lab: LabFile) -> None:
    session = Session().open(next(lab for lab in LABS if lab.board))
    sent = session.open(lab).stage
    assert sent["paint"] is None and sent["bounds"] == "" and sent["legend"] is None
    assert session.board.data.X.size


@EVERY_LAB_APART
def test_it_is_compared_with_itself_alone(lab: LabFile) -> None:
    assert not any(_alike(lab, other) for other in LABS)
    session = Session().open(lab, beside=lab.name)
    assert len(session.opening["views"]) == 2 and not session.stage["error"]


@EVERY_LAB_APART
def test_a_run_that_failed_shows_no_points(lab: LabFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def failed(*_args: Any, **_how: Any) -> Run:
        return Run("failed", (), "No step could be made.")

    monkeypatch.setattr(Lab, "run_apart", failed)
    session = Session().open(lab)
    assert session.stage["error"] == "No step could be made."
    assert "points" not in session.opening["views"][0]["first"]
    beside = Session().open(lab, beside=lab.name)
    assert "points" not in beside.opening["views"][0]["first"]


def test_handles_need_bounds_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    places, refused = Lab.places, []

    def checked(self: Lab, name: str, label: str, default: np.ndarray, **how: Any) -> np.ndarray:
        with pytest.raises(TypeError, match="within"):
            places(self, name, label, default, **dict(how, within=None))
        refused.append(name)
        return places(self, name, label, default, **how)

    monkeypatch.setattr(Lab, "places", checked)
    for lab in APART:
        Session().open(lab)
    assert refused
