"""The page on logistic regression: what its lesson and captions say is what its runs do."""

import numpy as np
import pytest

from algorithms.classification.linear.logistic_regression import (
    LogisticRegressionStep,
    largest_stable_rate,
    logistic_regression,
)
from algorithms.core.features import PolynomialFeatures, polynomial_features
from algorithms.core.splits import held_out
from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.experiments import experiment_of, steps_of

LOGISTIC = next(lab for lab in LABS if lab.name == "logistic_regression")
SAMPLES = [str(sample) for sample in range(8)]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    return Session().watch(monkeypatch)


def labels(session: Session) -> np.ndarray:
    return unpacked(session.figure()["points"]["group"]).astype(int)


def normal(step: LogisticRegressionStep, points: np.ndarray) -> np.ndarray:
    """Give the direction across the line, in the units of the axes."""
    across = step.weights[0] / points.std(axis=0)
    return across / np.linalg.norm(across)


def test_the_default_run_converges(session: Session) -> None:
    session.open(LOGISTIC)
    assert session.run_shown is not None
    assert session.run_shown.steps[-1].event == "converged"
    assert len(session.opening["views"]) == 4


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
    rises = sum(step.fall < 0 for step in steps)
    assert rises > 70
    F = polynomial_features(session.points, 1)(session.points)
    assert largest_stable_rate(F, 0.0, 2) > 3
    slower = steps_of(session, LOGISTIC, "Too fast", sample=sample, rate="3")
    assert all(step.fall >= 0 for step in slower)
    if sample == "0":
        # The run is chaotic: which machine rounds how decides its course, not these three.
        losses = np.array([step.loss for step in steps[1:]])
        assert len(losses) == 300 and 75 < rises < 115
        assert losses.max() == pytest.approx(6.9, abs=0.05)
        assert steps[0].loss == pytest.approx(0.69, abs=0.005)
        assert np.mean(losses > steps[0].loss) > 0.6
        ends = [  # of data that differ in the last digit
            list(
                logistic_regression(
                    np.nextafter(F, side),
                    labels(session),
                    method="gradient",
                    learning_rate=100,
                    max_iter=300,
                )
            )[-1].loss
            for side in (-np.inf, np.inf)
        ]
        assert max(*ends, steps[-1].loss) - min(*ends, steps[-1].loss) > 0.1
        assert slower[-1].event == "converged"
        assert slower[-1].loss == pytest.approx(0.30, abs=0.005)


@pytest.mark.parametrize("sample", SAMPLES[:4])
def test_newton_needs_fewer_steps(sample: str, session: Session) -> None:
    few = steps_of(session, LOGISTIC, "Newton's few steps", sample=sample)
    many = steps_of(
        session, LOGISTIC, "Newton's few steps", sample=sample, method="gradient", rate="3"
    )
    assert few[-1].event == "converged"
    assert len(few) - 1 <= 7
    assert len(many) - 1 > 100
    assert many[-1].loss == pytest.approx(few[-1].loss, abs=1e-5)
    # Soon near, then a creep.
    assert many[10].loss - few[-1].loss < 0.05 * (many[0].loss - few[-1].loss)
    if sample == "0":
        assert (len(few) - 1, len(many) - 1) == (6, 107)
        assert few[-1].loss == pytest.approx(0.30, abs=0.005)


class Split:
    """The points of a run that holds some out."""

    def __init__(self, session: Session, share: float, degree: int) -> None:
        X, y = session.points, labels(session)
        self.held = held_out(len(X), share, rng=np.random.default_rng([0, 1]), codes=y)
        self.features: PolynomialFeatures = polynomial_features(X[~self.held], degree)
        self.F, self.y = self.features(X), y

    def loss(self, step: LogisticRegressionStep, which: np.ndarray) -> float:
        """Compute the mean loss by the definition."""
        share = step.predict_proba(self.F[which])[np.arange(which.sum()), self.y[which]]
        return float(-np.log(np.maximum(share, 1e-300)).mean())


@pytest.mark.parametrize("sample", SAMPLES)
def test_steep_is_not_certain(sample: str, session: Session) -> None:
    title = "Steep is not certain"
    steps = steps_of(session, LOGISTIC, title, sample=sample)
    split = Split(session, 0.7, 3)
    held = split.held
    fresh = [split.loss(step, held) for step in steps]
    wrong = steps[-1].predict(split.F[held]) != split.y[held]
    assert steps[-1].event == "weights grow without bound"
    assert steps[-1].accuracy == 1
    assert steps[-1].loss < 1e-6
    assert split.loss(steps[-1], ~held) < 1e-6
    assert fresh[-1] > 4 * min(fresh)
    assert wrong.mean() > 0.05
    surest = steps[-1].predict_proba(split.F[held]).max(axis=1)
    assert np.median(surest[wrong]) > 0.99
    penalised = steps_of(session, LOGISTIC, title, sample=sample, penalty="0.01")[-1]
    assert penalised.event == "converged"
    assert split.loss(penalised, held) < fresh[-1]
    if sample == "0":
        answer = experiment_of(LOGISTIC, title).answer
        assert "26 % of them are wrong" in answer and round(100 * wrong.mean()) == 26
        assert "to 0.00000002" in answer and f"{steps[-1].loss:.8f}" == "0.00000002"
        assert (int(np.argmin(fresh)), round(fresh[1], 2), round(fresh[-1])) == (1, 0.46, 29)
        assert split.loss(penalised, held) == pytest.approx(0.46, abs=0.005)
        wrong = penalised.predict(split.F[held]) != split.y[held]
        assert round(100 * wrong.mean()) == 12


def test_the_caption_tells_of_the_points_held_out(session: Session) -> None:
    steps = steps_of(session, LOGISTIC, "Steep is not certain")
    split = Split(session, 0.7, 3)
    right = (steps[-1].predict(split.F[split.held]) == split.y[split.held]).mean()
    assert f"{100 * right:.4g} % right)" in session.captions[-1]
    assert f"the {split.held.sum()} points held out" in session.app.caption[-1].value


def test_degree_2_is_enough_for_rings(session: Session) -> None:
    def fitted(degree: int) -> tuple[LogisticRegressionStep, np.ndarray]:
        step = steps_of(session, LOGISTIC, "A curve from a line", degree=str(degree))[-1]
        features = polynomial_features(session.points, degree)
        places = np.random.default_rng(0).uniform(-4, 4, (2000, 2))
        return step, step.predict(features(places))

    assert len(steps_of(session, LOGISTIC, "A curve from a line")) < 5, "by Newton's method"
    straight, _ = fitted(1)
    assert straight.accuracy == pytest.approx(0.52)
    ellipse, two = fitted(2)
    assert ellipse.accuracy == 1
    higher, four = fitted(4)
    assert higher.accuracy == 1
    assert (two != four).any()


def test_a_caption_claims_no_more_than_can_be_separated(session: Session) -> None:
    session.open(LOGISTIC, data="iris", method="newton")
    assert session.run_shown is not None
    assert session.run_shown.steps[-1].event == "weights grow without bound"
    assert session.run_shown.steps[-1].accuracy == pytest.approx(0.96)
    assert "some points, not all, can be separated" in session.captions[-1]
    session.open(LOGISTIC, data="separable", method="newton")
    assert "the classes can be separated" in session.captions[-1]
