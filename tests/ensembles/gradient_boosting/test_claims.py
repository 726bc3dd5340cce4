"""The statements of the gradient boosting lesson about its experiments."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy import ndarray

from algorithms.core.record import last
from algorithms.data.presets import DATASETS
from algorithms.ensembles.gradient_boosting import GradientBoostingStep, gradient_boosting
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import points_of
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = (lab for lab in LABS if lab.name == "gradient_boosting")
OTHERS = range(20, 40)  # samples on which a statement about samples has to hold


def errors(steps: Sequence[GradientBoostingStep]) -> ndarray:
    return np.array([step.held_out_error for step in steps])


def elsewhere(trial: Trial, **changes: str) -> list[ndarray]:
    """Return the held-out errors on the other samples."""
    return [errors(trial.steps(sample=str(sample), **changes)) for sample in OTHERS]


def when_to_stop(trial: Trial) -> Numbers:
    steps = trial.steps()
    held = errors(steps)
    (named,) = [step.round for step in steps if step.event]
    assert named == held.argmin()
    assert all(np.diff([step.training_error for step in steps]) < 0)
    noise = trial.session.value("noise")
    ends = held.min(), noise**2, held[-1], steps[-1].training_error
    quarter, lowest, fresh = 0, [], []
    for sample in OTHERS:
        there = trial.steps(sample=str(sample))
        best = min(there, key=lambda step: step.held_out_error or 0.0)
        new = points_of("sine", 2000, sample=sample + 1000, noise=noise)
        quarter += there[-1].held_out_error > 1.25 * best.held_out_error
        lowest.append(best.held_out_error)
        fresh.append(np.mean(np.square(best.predict(new[:, :1]) - new[:, 1])))
    assert np.mean(fresh) > np.mean(lowest), "the lowest error is optimistic"
    return [named, *ends, quarter, len(OTHERS), np.mean(lowest), len(OTHERS), np.mean(fresh)]


def learnt_by_heart(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[-1].event == "nothing left to learn" and steps[-1].training_error < 1e-9
    held = errors(steps)
    return [steps[-1].round, held[-1], held[1], errors(trial.steps(rate="0.1", depth="2")).min()]


def too_careful(trial: Trial) -> Numbers:
    steps = trial.steps()
    held, longer = errors(steps), errors(trial.steps(rounds="300"))
    assert held.argmin() == len(steps) - 1 == 100
    quick, best = errors(trial.steps(rate="0.1")), int(longer.argmin())
    assert abs(quick.min() - longer.min()) < 0.005, "about as good"
    assert best / quick.argmin() == pytest.approx(10, 0.05), "about ten times as many rounds"
    return [steps[-1].training_error, held[-1], best, longer.min(), 0.1]


def half_of_the_points(trial: Trial) -> Numbers:
    half, whole = (errors(trial.steps(part=part)).min() for part in ("50", "100"))
    steps = trial.steps()
    drawn = np.mean([step.drawn for step in steps[1:]], axis=0)
    left_out = 1 - drawn[steps[0].drawn]
    assert left_out.min() > 0.3 and left_out.max() < 0.7, "about half of the trees"
    pairs = zip(elsewhere(trial), elsewhere(trial, part="100"), strict=True)
    better = sum(some.min() < every.min() for some, every in pairs)
    return [half, whole, better, len(OTHERS)]


def off(step: GradientBoostingStep) -> float:
    """Return how far a curve is off the line of the presets, as the root of the mean square."""
    x = np.linspace(-3, 3, 601)
    return float(np.sqrt(np.mean((step.predict(x[:, None]) - (0.8 * x + 0.3)) ** 2)))


def fallen_points(trial: Trial) -> Numbers:
    losses: dict[str, dict] = {"squared": {}, "absolute": {}, "Huber": {"within": "80"}}
    short, long = (
        [off(trial.steps(loss=loss, rounds=rounds, **how)[-1]) for loss, how in losses.items()]
        for rounds in ("30", "100")
    )
    p, found = DATASETS["line with outliers"], []
    for sample in OTHERS:
        X = p.make(p.n, noise=p.noise, rng=np.random.default_rng(sample)).X
        how = {"rounds": 30, "max_depth": 1, "within": 0.8, "rng": np.random.default_rng(0)}
        runs = [gradient_boosting(X[:, :1], X[:, 1], loss=loss, **how) for loss in losses]
        found.append([off(last(run)) for run in runs])
    dragged, absolute, huber = np.array(found).T
    nearer = int(((absolute < dragged) & (huber < dragged)).sum())
    x, y = trial.data.X[np.argsort(trial.data.X[:, 0])].T
    fallen = y < 0.8 * x + 0.3 - 2
    assert np.flatnonzero(fallen).tolist() == [57, 58, 59], "a leaf can hold only these three"
    return [*short, len(OTHERS), nearer, 100, *long]


def never_both(trial: Trial) -> Numbers:
    steps = trial.steps()
    x, y = np.array([-2.0, 2.0]), np.array([-1.0, 1.0])
    (below, above) = steps[-1].total.surface(x, y)
    assert np.ptp(below) == pytest.approx(np.ptp(above), abs=1e-9) and np.ptp(below) > 0.01
    held, deep = errors(steps), errors(trial.steps(depth="2"))
    worst = max(each[-1] for each in elsewhere(trial, depth="2"))
    return [held[-1], held[0], deep[-1], len(OTHERS), worst]


test_the_lesson = claims_test(
    "gradient_boosting",
    {
        "When to stop": when_to_stop,
        "Learnt by heart": learnt_by_heart,
        "Too careful": too_careful,
        "Half of the points": half_of_the_points,
        "Fallen points": fallen_points,
        "Never both": never_both,
    },
)


def test_beyond_the_outermost_points_the_sum_is_constant() -> None:
    X = points_of("line", 60, noise=0.3)
    model = last(gradient_boosting(X[:, :1], X[:, 1], rng=np.random.default_rng(0)))
    low, high = X[:, 0].min(), X[:, 0].max()
    for end in (np.linspace(low - 5, low, 9), np.linspace(high, high + 5, 9)):
        assert np.ptp(model.predict(end[:, None])) == 0


def test_what_is_predicted_is_what_is_left(session: Session) -> None:
    link = {"view": "two features", "data": "penguins", "n": "342"}
    session.open(LAB, **link, target="number of the class")
    first = session.run_shown.steps[0]
    targets = first.residuals + first.total(np.zeros((1, 2)))
    assert set(targets.round(9).tolist()) == {0.0, 1.0, 2.0}
    session.open(LAB, view="two features", data="sine")
    assert "no third column and no classes to predict" in session.stage["error"]
