"""What the lesson of the multi-layer perceptron says of its experiments."""

import numpy as np
import pytest

from algorithms.core.features import polynomial_features
from algorithms.core.splits import held_out
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    MultilayerPerceptronStep,
)
from algorithms.networks.multilayer_perceptron.training_summary import Summary, class_summary
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = (lab for lab in LABS if lab.name == "multilayer_perceptron")


LEARNED = 145  # training points of every experiment but "Learnt by heart"


def wrong(trial: Trial, **changes: str) -> int:
    """Return how many training points are wrong at the end."""
    return count(trial.steps(**changes)[-1])


def count(step: MultilayerPerceptronStep) -> int:
    """Return how many of the training points are wrong."""
    wrong = step.training_error * LEARNED
    assert wrong == pytest.approx(round(wrong))
    return round(wrong)


def summary(trial: Trial, **changes: str) -> Summary:
    """Return the losses and gradients of a run, made from the board alone."""
    steps, data = trial.steps(**changes), trial.data
    held = held_out(len(data.X), 0.3, rng=np.random.default_rng([0, 1]), codes=data.labels)
    features = polynomial_features(data.X[~held], 1)
    return class_summary(steps, features, data.X[held], data.labels[held])


def exclusive_or(trial: Trial) -> Numbers:
    assert len(trial.steps()[0].weights) == 1, "no hidden layer"
    found = {h: wrong(trial, hidden=h) for h in ("none", "1", "2", "4")}
    assert found["4"] == 0
    for seed in range(1, 6):
        assert wrong(trial, hidden="none", seed=str(seed)) > 65
        assert 36 < wrong(trial, hidden="1", seed=str(seed)) < 50
        assert wrong(trial, hidden="4", seed=str(seed)) < 3
    learned = [found["none"], LEARNED, found["1"], found["2"]]
    return [*learned, wrong(trial, hidden="2", seed="2")]


def all_alike(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[0].event == "units alike"
    assert np.ptp(steps[-1].weights[0], axis=1).max() == 0 == np.ptp(steps[-1].weights[1])
    assert np.abs(steps[-1].weights[0]).max() > 0.1, "they do learn"
    for seed in range(5):
        assert wrong(trial, spread="1", seed=str(seed)) == 0
    apart = np.ptp(trial.steps(dropout="20")[-1].weights[0], axis=1).max()
    assert "leave none of them out" in trial.session.captions[0]
    return [count(steps[-1]), LEARNED, float(apart)]


def a_dead_layer(trial: Trial) -> Numbers:
    steps = trial.steps()
    dead = [int(step.stuck[0].sum()) for step in steps]
    first = dead.index(8)
    assert set(dead[first:]) == {8}
    for step in steps[first:]:
        assert not any(G.any() for G in step.gradients)
    assert {step.event for step in steps} == {None, "dead unit"}
    for seed in range(6):
        assert trial.steps(seed=str(seed))[-1].stuck[0].all()
        assert wrong(trial, rate="1", seed=str(seed)) == 0
    return [first, 0, count(steps[-1]), LEARNED]


def gradients_that_vanish(trial: Trial) -> Numbers:
    steps, sizes = trial.steps(), summary(trial).gradients[0]
    assert sizes.argmin() == 0
    assert steps[0].loss - steps[-1].loss < 0.3
    assert steps[-1].loss > 0.68, "that of a coin is 0.69"
    tanh = summary(trial, activation="tanh").gradients[0]
    rolling = trial.steps(momentum="0.95")
    adam = trial.steps(optimizer="Adam", rate="0.03")
    first, from_here = (
        next(step.epoch for step in run if step.training_error == 0) for run in (rolling, adam)
    )
    assert rolling[-1].training_error == 0
    assert not any(step.training_error for step in adam[from_here:])
    for seed in range(2, 6):
        assert summary(trial, seed=str(seed)).gradients[0].argmin() == 0
        assert wrong(trial, seed=str(seed)) > 58
        assert wrong(trial, seed=str(seed), activation="tanh") == 0
        assert wrong(trial, seed=str(seed), momentum="0.95") == 0
    assert wrong(trial, activation="tanh") == 0
    ends = tanh.min(), tanh.max()
    error = count(steps[-1])
    return [sizes[0], sizes[-1], len(steps) - 1, error, LEARNED, *ends, first, from_here]


def learnt_by_heart(trial: Trial) -> Numbers:
    assert trial.steps()[-1].training_error == 0
    assert trial.steps(penalty="0.01")[-1].training_error > 0
    changes = {}, {"penalty": "0.01"}, {"dropout": "20"}, {"seed": "1"}
    losses = [summary(trial, **change).held_out_loss for change in changes]
    assert all(each is not None for each in losses)
    free, penalised, thinned, other = losses
    assert free is not None and penalised is not None and thinned is not None
    other_thinned = summary(trial, seed="1", dropout="20").held_out_loss
    assert other is not None and other_thinned is not None
    assert thinned[-1] < free[-1] / 2 and other_thinned[-1] < other[-1] / 2
    assert other[-1] > 2 * other.min()
    lowest = int(free.argmin())
    return [lowest, free.min(), free[-1], penalised[-1], thinned[-1], thinned.min()]


def rolling_on(trial: Trial) -> Numbers:
    slow = trial.steps()[-1]
    runs = [trial.steps(momentum="0.9", seed=seed) for seed in ("0", "1", "2")]
    assert not any(run[-1].training_error for run in runs)
    first = next(step.epoch for step in runs[0] if step.training_error == 0)
    return [count(slow), LEARNED, first, runs[0][-1].loss, slow.loss]


test_claims = claims_test(
    "multilayer_perceptron",
    {
        "Exclusive or": exclusive_or,
        "All alike": all_alike,
        "A dead layer": a_dead_layer,
        "Gradients that vanish": gradients_that_vanish,
        "Learnt by heart": learnt_by_heart,
        "Rolling on": rolling_on,
    },
)


def test_l2_lowers_the_sum_of_squares_but_not_every_weight(session: Session) -> None:
    grown = 0
    for seed in range(4):
        free, held = (
            np.concatenate([W.ravel() for W in steps_at_end(session, seed, penalty)])
            for penalty in ("0", "0.01")
        )
        assert (held**2).sum() < (free**2).sum()
        grown += int((np.abs(held) > np.abs(free)).sum())
    assert grown > 0


def steps_at_end(session: Session, seed: int, penalty: str) -> tuple[np.ndarray, ...]:
    session.open(LAB, seed=str(seed), penalty=penalty)
    assert session.run_shown is not None
    return session.run_shown.steps[-1].weights


@pytest.mark.parametrize("view", ["training", "one step"])
def test_every_choice_of_hidden_units_can_be_run(session: Session, view: str) -> None:
    epochs = {"epochs": "30"} if view == "training" else {}
    session.open(LAB, view=view, n="40", **epochs)
    for text in session.widget("selectbox", "hidden").options:
        session.set("selectbox", "hidden", text)
        assert session.run_shown is not None
        widths = [len(b) for b in session.run_shown.steps[0].biases]
        assert widths == [*(int(u) for u in text.split("-") if u != "none"), 1]
        session.check_shown()


def test_a_run_has_at_most_20_000_updates(session: Session) -> None:
    session.open(LAB, batch="1", epochs="300", n="400")
    run, labels = session.run_shown, session.board.data.labels
    assert run is not None
    held = held_out(400, 0.3, rng=np.random.default_rng([0, 1]), codes=labels)
    assert len(run.steps) - 1 == 20_000 // np.count_nonzero(~held)


@pytest.mark.parametrize(("query", "place"), [("0.9,0.2", "(1, 0)"), ("0.1,0.9", "(0, 1)")])
def test_the_network_learns_from_the_point_nearest_to_the_picked_place(
    session: Session, query: str, place: str
) -> None:
    session.open(LAB, view="one step", data="gates", noise="0", query=query)
    assert place in session.captions[0]
