from collections.abc import Iterator

import numpy as np
import pytest

from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from viz.core.scene import Run

(LAB,) = [lab for lab in LABS if lab.name == "bias_variance"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def shown(session: Session) -> Run:
    assert session.run_shown is not None
    return session.run_shown


@pytest.mark.parametrize("truth", ["through the points", "step", "unknown: bootstrap"])
def test_the_places_of_the_bulls_eye_stand_on_places_that_the_run_knows(
    session: Session, truth: str
) -> None:
    session.open(LAB, truth=truth, noise="0.3")
    session.check_shown()
    (handles,) = session.stage["handles"]
    x = shown(session).steps[0].x
    expected = [float(f"{value:.4g}") for value in x[[20, 60]]]
    assert [place[0] for place in handles["places"]] == expected
    assert handles["along"] == "x"
    session.open(LAB, truth=truth, noise="0.3", at="-99,7;99,7")
    (handles,) = session.stage["handles"]
    np.testing.assert_allclose([place[0] for place in handles["places"]], x[[0, -1]], rtol=1e-9)
    figure = session.figure(0)
    bottom, top = figure["layout"]["yaxis"]["range"]
    assert {place[1] for place in handles["places"]} == {bottom + 0.05 * (top - bottom)}


def test_a_formula_needs_no_points_and_shows_none(session: Session) -> None:
    session.open(LAB, truth="kink", sets="20")
    assert "points" not in session.figure(0)
    session.press("Clear")
    assert session.stage["error"] is None
    assert session.opening["total"] == 20
    assert session.figure(0)["layout"]["xaxis"]["range"] == [-3.4, 3.4]
    session.set("selectbox", "truth", "through the points")
    assert "no points yet" in session.stage["error"]
    session.set("selectbox", "truth", "unknown: bootstrap")
    assert "no points yet" in session.stage["error"]


@pytest.mark.parametrize(
    ("over", "kind"), [("degree", "degree 3"), ("penalty", "λ = 0"), ("neighbours", "k = 5")]
)
def test_every_family_is_fitted(session: Session, over: str, kind: str) -> None:
    session.open(LAB, truth="sine", over=over)
    session.check_shown()
    assert f"their fit, {kind}." in session.captions[0]
    assert ("neighbours" in session.values) == (over == "neighbours")
    assert ("degree" in session.values) == (over != "neighbours")
