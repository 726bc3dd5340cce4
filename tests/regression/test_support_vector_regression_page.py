"""What the lesson of the lab says of its experiments, on the runs of their links."""

from collections.abc import Iterator

import numpy as np
import pytest

from algorithms.core.kernels import rbf
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.data.presets import DATASETS
from algorithms.regression.support_vector_regression import TubeStep
from algorithms.regression.tube_on_plane import tube_on_plane
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from tests.house.experiments import experiment_of, steps_of

(TUBE,) = (lab for lab in LABS if lab.name == "support_vector_regression")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    with AsInTheApp():
        yield Session().watch(monkeypatch)


def end(session: Session, title: str, **changes: str) -> TubeStep:
    step = steps_of(session, TUBE, title, **changes)[-1]
    assert step.event == "converged"
    return step


def text(title: str) -> str:
    experiment = experiment_of(TUBE, title)
    return f"{experiment.question} {experiment.answer}"


def span(step: TubeStep) -> float:
    """From the lowest to the highest place of the curve at the points, in spreads of y."""
    return float(np.ptp(step.predict(step.task.points)))


def test_who_holds_it(watched: Session) -> None:
    title = "Who holds it?"
    step = end(watched, title)
    held, at_C = len(step.support), int((step.duals >= step.C).sum())
    assert (held, at_C, len(step.duals)) == (19, 14, 60)
    assert f"{held} hold it, {at_C} of them at C; the other {60 - held} have β = 0" in text(title)
    counts = [len(end(watched, title, epsilon=each).support) for each in ("0.1", "0.6")]
    assert counts == [47, 9] and "ε = 0.1 it is 47, with 0.6 it is 9" in text(title)


def test_too_wide(watched: Session) -> None:
    title = "Too wide"
    step, narrow = end(watched, title), end(watched, title, epsilon="0.3")
    assert (f"{span(step):.2f}", f"{span(narrow):.2f}") == ("1.84", "2.73")
    assert len(step.support) == 2
    assert np.mean(np.abs(step.residuals) <= 0.8) > 0.9
    assert "spans 1.84" in text(title) and "it is 2.73" in text(title)


def slope(session: Session, step: TubeStep) -> float:
    units = standard(session.state.board.data.X)
    rise = np.diff(step.predict(np.array([[0.0], [1.0]])))[0]
    return float(rise * units.spread[1] / units.spread[0])


def test_outliers(watched: Session) -> None:
    title = "Outliers"
    step = end(watched, title)
    assert f"{slope(watched, step):.3f}" == "0.768"
    X = watched.state.board.data.X
    assert f"{np.polyfit(*X.T, 1)[0]:.3f}" == "0.576"
    wide = end(watched, title, epsilon="0.6")
    assert f"{slope(watched, wide):.3f}" == "0.499"
    assert np.mean(np.abs(wide.residuals) < 0.6) > 0.8
    for number in ("0.768", "0.576", "0.499"):
        assert number in text(title)


def test_too_cheap(watched: Session) -> None:
    title = "Too cheap"
    cheap, dear = end(watched, title), end(watched, title, C="1")
    places = np.linspace(-1.8, 1.8, 200)[:, None]
    assert f"{np.ptp(cheap.predict(places)):.2f}" == "0.34" and f"{span(dear):.2f}" == "2.73"
    assert "spans 0.34" in text(title) and "With C = 1 it spans 2.73" in text(title)


def how_far(plane: np.ndarray, gamma: float) -> tuple[float, float]:
    """How far the points are from the curve on average, and the curve from the wave."""
    step = last(tube_on_plane(plane, C=100.0, epsilon=0.05, kernel=rbf(gamma)))
    units, x = standard(plane), np.linspace(-3, 3, 601)
    f = step.predict(((x - units.center[0]) / units.spread[0])[:, None])
    off = units.center[1] + units.spread[1] * f - 2 * np.sin(np.pi * x / 3)
    return float(np.abs(step.residuals).mean() * units.spread[1]), float(np.sqrt(np.mean(off**2)))


def test_learnt_by_heart(watched: Session) -> None:
    title = "Learnt by heart"
    end(watched, title)
    plane = watched.state.board.data.X
    numbers = [*how_far(plane, watched.value("gamma")), *how_far(plane, 1.0)]
    assert [f"{value:.2f}" for value in numbers] == ["0.12", "0.79", "0.27", "0.22"]
    assert (watched.value("C"), watched.value("epsilon")) == (100.0, 0.05)
    for number in ("0.12", "0.27", "0.79", "0.22"):
        assert number in text(title)
    for sample in range(10):
        p = DATASETS["sine"]
        points = p.make(p.n, noise=p.noise, rng=np.random.default_rng(sample)).X
        (near, off), (far, close) = how_far(points, 100.0), how_far(points, 1.0)
        assert near < far and off > close


def test_the_caption_reads_the_curve_off(watched: Session) -> None:
    watched.open(TUBE, query="0,-3.3")
    step = watched.run_shown.steps[-1]
    units = standard(watched.state.board.data.X)
    f = step.predict(np.array([[(0 - units.center[0]) / units.spread[0]]]))[0]
    value = units.center[1] + units.spread[1] * f
    assert f"= {value:.3g}".replace("-", "−") in watched.captions[-1].split("\n")[2]
