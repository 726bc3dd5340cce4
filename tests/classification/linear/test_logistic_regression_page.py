"""The page on logistic regression: what its lesson and captions say is what its runs do."""

import numpy as np
import pytest

from algorithms.classification.linear.logistic_regression import (
    LogisticRegressionStep,
    largest_stable_rate,
)
from algorithms.core.features import polynomial_features
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.classification.experiments import steps_of

LOGISTIC = next(lab for lab in LABS if lab.name == "logistic_regression")
SAMPLES = [str(sample) for sample in range(8)]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def normal(step: LogisticRegressionStep, points: np.ndarray) -> np.ndarray:
    """Give the direction across the line, in the units of the axes."""
    across = step.weights[0] / points.std(axis=0)
    return across / np.linalg.norm(across)


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_line_settles_while_the_weights_grow(sample: str, session: Session) -> None:
    steps = steps_of(session, LOGISTIC, "Weights without bound", sample=sample)
    assert steps[-1].event == "weights grow without bound"
    last = normal(steps[-1], session.points)
    assert all(normal(step, session.points) @ last > np.cos(np.radians(2)) for step in steps[10:])
    size = [np.linalg.norm(step.weights) for step in steps]
    assert (np.diff(size) > 0).all()
    assert size[-1] > 2 * size[10]
    held = steps_of(session, LOGISTIC, "Weights without bound", sample=sample, penalty="0.01")
    assert held[-1].event == "converged"
    assert np.linalg.norm(held[-1].weights) == pytest.approx(3, abs=0.4)


@pytest.mark.parametrize("sample", SAMPLES[:4])
def test_too_fast_a_rate_makes_the_loss_rise_and_a_safe_one_does_not(
    sample: str, session: Session
) -> None:
    steps = steps_of(session, LOGISTIC, "Too fast", sample=sample)
    lower = steps[-1].loss < steps[0].loss
    assert steps[-1].event == ("oscillates" if lower else "diverged")
    assert ("Oscillates: " if lower else "Diverged: ") in session.captions[-1]
    assert lower or sample != "0"
    assert sum(step.fall < 0 for step in steps) > 10
    F = polynomial_features(session.points, 1)(session.points)
    assert largest_stable_rate(F, 0.0, 2) > 3
    slower = steps_of(session, LOGISTIC, "Too fast", sample=sample, rate="3")
    assert all(step.fall >= 0 for step in slower)


def test_a_caption_claims_no_more_than_can_be_separated(session: Session) -> None:
    session.open(LOGISTIC, data="iris", method="newton")
    assert session.run_shown is not None
    assert session.run_shown.steps[-1].event == "weights grow without bound"
    assert session.run_shown.steps[-1].accuracy == pytest.approx(0.96)
    assert "some points, not all, can be separated" in session.captions[-1]
    session.open(LOGISTIC, data="separable", method="newton")
    assert "the classes can be separated" in session.captions[-1]
