"""The statements of the lesson and the captions about their runs."""

import numpy as np

from algorithms.classification.linear.logistic_regression.logistic_regression import (
    largest_stable_rate,
    logistic_regression,
)
from algorithms.core.features import polynomial_features
from algorithms.core.splits import held_out
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test
from tests.house.experiments import steps_of

LOGISTIC = next(lab for lab in LABS if lab.name == "logistic_regression")


def test_the_default_run_converges(session: Session) -> None:
    session.open(LOGISTIC)
    assert session.run_shown is not None
    assert session.run_shown.steps[-1].event == "converged"
    assert len(session.opening["views"]) == 4


def too_fast(trial: Trial) -> Numbers:
    """Return numbers of a chaotic run that are the same on all machines."""
    for sample in range(4):
        steps = trial.steps(sample=str(sample))
        lower = steps[-1].loss < steps[0].loss
        assert steps[-1].event == ("oscillates" if lower else "diverged")
        assert sum(step.fall < 0 for step in steps) > 70
        slower = trial.steps(sample=str(sample), rate="3")
        assert all(step.fall >= 0 for step in slower)
        assert largest_stable_rate(_standardised(trial), 0.0, 2) > 3
    steps, slower = trial.steps(), trial.steps(rate="3")
    losses = np.array([step.loss for step in steps[1:]])
    assert len(losses) / 4 < sum(step.fall < 0 for step in steps) < len(losses) * 0.38
    assert np.mean(losses > steps[0].loss) > 0.6
    how = {"method": "gradient", "learning_rate": 100, "max_iter": 300}
    ends = [  # of data that differ in the last digit
        list(logistic_regression(F, trial.data.labels, **how))[-1].loss
        for F in (np.nextafter(_standardised(trial), side) for side in (-np.inf, np.inf))
    ]
    assert max(*ends, steps[-1].loss) - min(*ends, steps[-1].loss) > 0.1
    assert slower[-1].event == "converged"
    return [len(losses), losses.max(), steps[0].loss, float("3"), slower[-1].loss]


def _standardised(trial: Trial) -> np.ndarray:
    return polynomial_features(trial.data.X, 1)(trial.data.X)


def newtons_few_steps(trial: Trial) -> Numbers:
    found = []
    for sample in range(4):
        few = trial.steps(sample=str(sample))
        many = trial.steps(sample=str(sample), method="gradient", rate="3")
        assert few[-1].event == "converged" and len(few) - 1 <= 7 and len(many) - 1 > 100
        assert abs(many[-1].loss - few[-1].loss) < 1e-5
        # Soon near, then a creep.
        assert many[10].loss - few[-1].loss < 0.05 * (many[0].loss - few[-1].loss)
        found.append([len(few) - 1, len(many) - 1, few[-1].loss])
    return found[0]


def does_80_percent_mean_80_percent(trial: Trial) -> Numbers:
    def sure_and_right(**changes: str) -> tuple[np.ndarray, np.ndarray]:
        step = trial.steps(**changes)[-1]
        X, y = trial.data.X, trial.data.labels
        held = held_out(len(X), 0.8, rng=np.random.default_rng([0, 1]), codes=y)
        P = step.predict_proba(polynomial_features(X[~held], 4)(X[held]))
        return P.max(axis=1), P.argmax(axis=1) == y[held]

    sure, right = sure_and_right()
    n, high = len(trial.data.X), sure >= 0.9
    penalised, also_right = sure_and_right(penalty="0.01")
    gaps = [np.subtract(*map(np.sum, sure_and_right(sample=str(s)))) for s in range(20, 40)]
    least = 10
    assert min(gaps) >= least
    return [n - len(sure), len(sure), sure.sum(), right.sum(), high.sum(), 90, right[high].sum(),
            penalised.sum(), also_right.sum(), range(20, 40), least]  # fmt: skip


def weights_without_bound(trial: Trial) -> Numbers:
    settled, most = 10, 2
    for sample in range(8):
        steps = trial.steps(sample=str(sample))
        assert steps[-1].event == "weights grow without bound"
        spread = trial.data.X.std(axis=0)
        normals = np.array([step.weights[0] / spread for step in steps[settled:]])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        assert (normals @ normals[-1] > np.cos(np.radians(most))).all()
        size = [np.linalg.norm(step.weights) for step in steps]
        assert (np.diff(size) > 0).all() and size[-1] > 2 * size[settled]
        held = trial.steps(sample=str(sample), penalty="0.01")[-1]
        near = 3
        assert held.event == "converged" and abs(np.linalg.norm(held.weights) - near) < 0.4
    return [settled, most, near]


def a_curve_from_a_line(trial: Trial) -> Numbers:
    assert len(trial.steps()) < 5, "by Newton's method"
    places = np.random.default_rng(0).uniform(-4, 4, (2000, 2))
    right, predicted = {}, {}
    for degree in (1, 2, 4):
        step, n = trial.steps(degree=str(degree))[-1], len(trial.data.X)
        right[degree] = round(step.accuracy * n)
        predicted[degree] = step.predict(polynomial_features(trial.data.X, degree)(places))
    assert right[2] == right[4] == n and (predicted[2] != predicted[4]).any()
    x2, y2 = polynomial_features(trial.data.X, 2).powers[[2, 4]].max(axis=1)
    assert x2 == y2 == 2
    return [2, n, right[1]]


def never_the_largest(trial: Trial) -> Numbers:
    steps, data = trial.steps(), trial.data
    middle = data.X[data.labels == 1]
    first, mean = steps[0], middle.mean(axis=0)[None]
    assert (first.least_squares.predict(middle) != 1).sum() == first.wrong
    masked = next(step for step in steps if step.masked)
    assert masked.masked == (1,) and masked.event == "a class is masked"
    assert all(step.wrong_logistic == 0 for step in steps)
    starts = [trial.steps(sample=str(sample))[0] for sample in range(30)]
    assert not any(start.wrong_logistic for start in starts)
    least = min(start.wrong for start in starts[:20])
    assert min(start.wrong for start in starts[20:]) > 30
    outputs, P = first.outputs(mean)[0], first.probabilities(mean)[0]
    count = len(masked.added)
    numbers = [*outputs, first.wrong, len(middle), P[1], count, masked.move, 200]
    return [*numbers, range(20), least, 0]


def far_and_right(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert len(steps[-1].added) == 20
    assert not any(step.wrong_logistic for step in steps)
    for sample in range(30):
        others = trial.steps(sample=str(sample))
        assert others[0].wrong == 0 < others[-1].wrong
        assert not any(step.wrong_logistic for step in others)
    output = steps[0].outputs(steps[-1].place[None])[0, steps[0].column]
    n = len(trial.data.X)
    return [steps[0].wrong, n, steps[-1].wrong, output, 1, 0, range(20)]


test_claims = claims_test(
    "logistic_regression",
    {
        "Too fast": too_fast,
        "Newton's few steps": newtons_few_steps,
        "Does 80 % mean 80 %?": does_80_percent_mean_80_percent,
        "Weights without bound": weights_without_bound,
        "A curve from a line": a_curve_from_a_line,
        "Never the largest": never_the_largest,
        "Far, and right": far_and_right,
    },
)


def test_the_caption_counts_the_points_held_out(session: Session) -> None:
    step = steps_of(session, LOGISTIC, "Does 80 % mean 80 %?")[-1]
    trial = Trial(session, LOGISTIC, "Does 80 % mean 80 %?")
    X, y = trial.data.X, trial.data.labels
    held = held_out(len(X), 0.8, rng=np.random.default_rng([0, 1]), codes=y)
    F = polynomial_features(X[~held], 4)(X)
    right, n = np.count_nonzero(step.predict(F[held]) == y[held]), held.sum()
    assert f"{right} of {n} right, " in session.captions[-1]
    assert session.scene_shown is not None
    assert f"The {n} held-out points" in session.scene_shown.note


def test_a_caption_claims_no_more_than_can_be_separated(session: Session) -> None:
    for data, right, said in (
        ("iris", 144, "some points, not all, can"), ("separable", 100, "the classes can"),
    ):  # fmt: skip
        session.open(LOGISTIC, data=data, method="newton")
        assert session.run_shown is not None
        end, n = session.run_shown.steps[-1], len(session.points)
        assert end.event == "weights grow without bound" and round(end.accuracy * n) == right
        assert f"{right} of {n} points are right" in session.captions[-1]
        assert f"{said} be separated" in session.captions[-1]
