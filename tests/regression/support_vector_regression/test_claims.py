"""What the lesson of support vector regression says of its experiments."""

import numpy as np

from algorithms.core.kernels import rbf
from algorithms.core.pipeline import on_plane
from algorithms.core.record import last
from algorithms.core.scaling import standard
from algorithms.regression.support_vector_regression import TubeStep, support_vector_regression
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import points_of
from tests.house.claims import Numbers, Trial, claims_test

(TUBE,) = (lab for lab in LABS if lab.name == "support_vector_regression")


def end(trial: Trial, **changes: str) -> TubeStep:
    step = trial.steps(**changes)[-1]
    assert step.event == "converged"
    return step


def span(step: TubeStep) -> float:
    """Return the height of the curve's range at the points, in standard deviations of y."""
    return float(np.ptp(step.predict(step.task.points)))


def who_holds_it(trial: Trial) -> Numbers:
    step, n = end(trial), len(trial.data.X)
    held, at_C = len(step.support), int((step.duals >= step.C).sum())
    counts = {each: len(end(trial, epsilon=str(each)).support) for each in (0.1, 0.6)}
    assert n == 60
    wide = [number for epsilon, count in counts.items() for number in (epsilon, count)]
    return [held, at_C, n - held, 0, *wide]


def too_wide(trial: Trial) -> Numbers:
    step, narrow = end(trial), end(trial, epsilon="0.3")
    assert len(step.support) == 2
    assert np.mean(np.abs(step.residuals) <= 0.8) > 0.9
    return [span(step), 0.3, span(narrow)]


def slope(trial: Trial, step: TubeStep) -> float:
    units = standard(trial.data.X)
    rise = np.diff(step.predict(np.array([[0.0], [1.0]])))[0]
    return float(rise * units.spread[1] / units.spread[0])


def outliers(trial: Trial) -> Numbers:
    step, wide = end(trial), end(trial, epsilon="0.6")
    x, y = trial.data.X.T
    rest = trial.data.X[x.argsort()[:-3]]
    assert np.allclose(np.polyfit(rest[:, 0], rest[:, 1], 1), [0.8, 0.3], atol=0.1)
    assert np.mean(np.abs(wide.residuals) < 0.6) > 0.8
    least_squares = np.polyfit(x, y, 1)[0]
    return [0.8, 0.3, least_squares, slope(trial, step), 0.6, slope(trial, wide)]


def too_cheap(trial: Trial) -> Numbers:
    cheap, dear = end(trial), end(trial, C="1")
    places = np.linspace(-1.8, 1.8, 200)[:, None]
    return [np.ptp(cheap.predict(places)), 1, span(dear)]


def how_far(plane: np.ndarray, gamma: float) -> tuple[float, float]:
    """Return the mean distance of the points from the curve, and of the curve from the wave."""
    step = last(
        on_plane(support_vector_regression, plane, C=100.0, epsilon=0.05, kernel=rbf(gamma))
    )
    units, x = standard(plane), np.linspace(-3, 3, 601)
    f = step.predict(((x - units.center[0]) / units.spread[0])[:, None])
    off = units.center[1] + units.spread[1] * f - 2 * np.sin(np.pi * x / 3)
    return float(np.abs(step.residuals).mean() * units.spread[1]), float(np.sqrt(np.mean(off**2)))


def learnt_by_heart(trial: Trial) -> Numbers:
    end(trial)
    assert trial.session.value("C") == 100.0 and trial.session.value("epsilon") == 0.05
    plane, samples = trial.data.X, range(10)
    (near, off), (far, close) = how_far(plane, trial.session.value("gamma")), how_far(plane, 1.0)
    for sample in samples:
        narrow, wide = (how_far(points_of("sine", sample=sample), gamma) for gamma in (100.0, 1.0))
        assert narrow[0] < wide[0] and narrow[1] > wide[1]
    return [near, far, off, close, samples]


test_the_answers = claims_test(
    "support_vector_regression",
    {
        "Who holds it?": who_holds_it,
        "Too wide": too_wide,
        "Outliers": outliers,
        "Too cheap": too_cheap,
        "Learnt by heart": learnt_by_heart,
    },
)


def test_the_caption_reads_the_curve_off(session: Session) -> None:
    session.open(TUBE, query="0,-3.3")
    step = session.run_shown.steps[-1]
    units = standard(session.board.data.X)
    f = step.predict(np.array([[(0 - units.center[0]) / units.spread[0]]]))[0]
    value = units.center[1] + units.spread[1] * f
    assert f": {value:.3g} is predicted".replace("-", "−") in session.captions[-1].split("\n")[2]
