"""What the lesson of network regression says of its experiments."""

from typing import Any

import numpy as np
import pytest

from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.training_summary import number_summary
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = (lab for lab in LABS if lab.name == "network_regression")


def end(trial: Trial, **changes: str) -> Any:
    return trial.steps(**changes)[-1]


def learned(trial: Trial) -> np.ndarray:
    """Return the points of the run that is shown, without those held out."""
    assert trial.session.run_shown and trial.session.run_shown.call
    return trial.session.run_shown.call.args[1]


def held_out_loss(trial: Trial, **changes: str) -> np.ndarray:
    """Return the held-out loss of the steps, from the board alone."""
    steps, X = trial.steps(**changes), trial.data.X
    held = ~(X[:, None] == learned(trial)).all(axis=2).any(axis=1)
    assert 0.2 < held.mean() < 0.4
    loss = number_summary(steps, standard(learned(trial)), X[held]).held_out_loss
    assert loss is not None
    return loss


def how_many_units(trial: Trial) -> Numbers:
    found = {hidden: end(trial, hidden=hidden).loss for hidden in ("1", "2", "4")}
    for seed in range(1, 5):
        for hidden, loss in found.items():
            assert end(trial, hidden=hidden, seed=str(seed)).loss == pytest.approx(loss, rel=0.05)
    return [end(trial).loss, *found.values()]


def a_plateau(trial: Trial) -> Numbers:
    steps, u = trial.steps(), np.linspace(-2, 2, 50)[:, None]
    assert np.ptp(steps[-1].predict(u)) < 0.4, "in standard deviations of y"
    larger = end(trial, rate="0.3").loss
    too_large = [end(trial, rate="1", seed=str(seed)).loss for seed in range(4)]
    assert max(too_large) > 0.45 and min(too_large) < 0.12
    rolling = {"rate": "0.3", "momentum": "0.9"}
    adam = {"optimizer": "Adam", "rate": "0.03"}
    momentum, best = end(trial, **rolling), end(trial, **adam)
    assert np.ptp(best.predict(u)) > 2
    for seed in ("1", "2", "3"):
        assert end(trial, seed=seed).loss > 0.45
        assert end(trial, seed=seed, **rolling).loss < 0.11
        assert end(trial, seed=seed, **adam).loss < 0.11
    return [steps[10].loss, 10, steps[-1].loss, larger, momentum.loss, best.loss, 0.11]


def strokes_that_vanish(trial: Trial) -> Numbers:
    def sizes(**changes: str) -> np.ndarray:
        return np.abs(np.stack([W.ravel() for W in end(trial, **changes).weights]))

    *_, before, step = trial.steps()
    small = sizes()
    assert small.size == 16 and small.min() > 0
    assert not ((small > 0.003) & (small < 0.05)).any(), "there is a gap, and strokes from 0.05 on"
    assert (small <= 0.003).all(axis=0).sum() == 5 == (small <= 0.003).any(axis=0).sum()
    both = zip(before.weights[0][0], step.weights[0][0], strict=True)
    assert any(old * new < 0 for old, new in both), "some go across 0"
    assert (sizes(seed="1") <= 0.003).sum() >= 8
    assert sizes(norm="L2", seed="1").min() > 0.2
    return [(small <= 0.003).sum(), 0.3 * 0.01, sizes(norm="L2").min()]


def when_to_stop(trial: Trial) -> Numbers:
    loss, held = end(trial).loss, held_out_loss(trial)
    for seed in ("1", "2", "3"):
        other = held_out_loss(trial, seed=seed)
        assert other[-1] > 3 * other.min()
    penalised = held_out_loss(trial, penalty="0.01")
    assert penalised[-1] == pytest.approx(0.070, abs=1e-3)  # 0.0695: rounding decides the digit
    assert penalised[-1] < 1.01 * penalised.min()
    return [loss, int(held.argmin()), held.min(), held[-1], 0.070]


def corners(trial: Trial) -> Numbers:
    def places(seed: str) -> tuple[np.ndarray, float]:
        """Return where the units that are not dead switch on or off, in units of x."""
        step = end(trial, seed=seed)
        assert step.stuck[0].sum() == 1
        units = standard(learned(trial))
        u = (-step.biases[0] / step.weights[0][0])[~step.stuck[0]]
        return np.sort(units.center[0] + units.spread[0] * u), step.loss

    together, loss = places("0")
    apart, better = places("1")
    left, right = trial.session.board.bounds[:2]
    assert left < apart[0] and apart[-1] < right and np.diff(apart).min() > 0.4
    smooth = [end(trial, activation="tanh", seed=seed).loss for seed in "01"]
    return [together[0], together[-1], better, loss, *smooth]


test_claims = claims_test(
    "network_regression",
    {
        "How many units?": how_many_units,
        "A plateau": a_plateau,
        "Strokes that vanish": strokes_that_vanish,
        "When to stop": when_to_stop,
        "Corners": corners,
    },
)


def test_points_of_one_class_and_few_of_them_will_do(session: Session) -> None:
    session.open(LAB, data="line", n="2", epochs="30", hidden="8-8-8")
    session.check_shown()
    session.open(
        LAB, data="line", n="1", epochs="30", optimizer="RMSProp", norm="L1", penalty="0.1"
    )
    session.check_shown()
    session.open(LAB, momentum="0.5", optimizer="Adam")
    assert session.state.refused, "it is that of the plain rule, and not asked for"


def test_steps_shrink_with_adagrad_and_less_with_rmsprop_and_adam(session: Session) -> None:
    shares = {}
    for optimizer, rate in (("AdaGrad", "0.1"), ("RMSProp", "0.03"), ("Adam", "0.03")):
        session.open(
            LAB, data="sine", hidden="8-8-8", activation="sigmoid", optimizer=optimizer, rate=rate
        )
        assert session.run_shown is not None
        steps = session.run_shown.steps
        theta = [np.concatenate([W.ravel() for W in step.weights]) for step in steps]
        lengths = np.linalg.norm(np.diff(theta, axis=0), axis=1)
        shares[optimizer] = float(lengths[-1] / lengths[0])
    assert shares["AdaGrad"] < 0.05 < 0.1 < min(shares["RMSProp"], shares["Adam"])
