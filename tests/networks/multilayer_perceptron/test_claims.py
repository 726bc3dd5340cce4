"""What the lesson of the multi-layer perceptron says of its experiments."""

from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from algorithms.core.features import polynomial_features
from algorithms.core.splits import held_out
from algorithms.data.presets import Dataset
from algorithms.networks.multilayer_perceptron.batch_normalisation import BatchStep
from algorithms.networks.multilayer_perceptron.best_of_trials import BestOfTrials, best_of_trials
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import (
    MultilayerPerceptronStep,
)
from algorithms.networks.multilayer_perceptron.settings_search import SearchStep, settings_search
from algorithms.networks.multilayer_perceptron.training_summary import Summary, class_summary
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.samples import dataset
from tests.house.claims import Numbers, Trial, claims_test

(LAB,) = (lab for lab in LABS if lab.name == "multilayer_perceptron")


SEEDS = range(10)
LEARNED = 145  # training points of every experiment but "Learnt by heart"


def wrong(trial: Trial, **changes: str) -> int:
    """Return how many training points are wrong at the end."""
    return count(trial.steps(**changes)[-1])


def count(step: MultilayerPerceptronStep | BatchStep) -> int:
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


@dataclass(frozen=True)
class Search:
    """A search at its end, and what its trials get wrong on the test points."""

    end: SearchStep
    best: BestOfTrials

    @property
    def test_wrong(self) -> int:
        """Return how many test points the choice gets wrong."""
        assert self.best.wrong is not None
        return int(self.best.wrong[self.end.best])

    def means(self, *counts: int) -> tuple[list[float], list[float]]:
        """Return the mean validation and test errors of the best of these numbers of trials."""
        assert self.best.test is not None
        at = [count - 1 for count in counts]
        return self.best.validation[at].tolist(), self.best.test[at].tolist()


def searched(data: Dataset, *, validation: int = 15, seed: int = 0, **how: Any) -> Search:
    """Search on a board, without the page."""
    X, y = data.X, data.labels
    held = held_out(len(X), 0.6, rng=np.random.default_rng([0, 1]), codes=y)
    judges = held & (np.random.default_rng([1, 1]).random(len(X)) < validation / 60)
    test, rng = held & ~judges, np.random.default_rng([seed, 2])
    steps = list(settings_search(X[~test], y[~test], held_out=judges[~test], rng=rng, **how))
    return Search(steps[-1], best_of_trials(steps, X[test], y[test]))


def shown(trial: Trial, found: Search, **changes: str) -> Search:
    """Return a search that the page, too, shows after these changes."""
    end = trial.steps(**changes)[-1]
    np.testing.assert_array_equal(end.wrong, found.end.wrong)
    np.testing.assert_array_equal(end.rates, found.end.rates)
    answer = trial.session.scene_shown.answer(len(end.wrong) - 1)
    assert f"{found.test_wrong} of {found.best.n} test points wrong" in answer
    return found


def three_rates_or_nine(trial: Trial) -> Numbers:
    trial.steps()
    data = trial.data
    plans = ("grid", "random")
    grid, drawn = (
        shown(trial, searched(data, plan=plan, per_axis=3, seed=1), plan=plan) for plan in plans
    )
    means = {(plan, k): mean_of_ten_seeds(data, plan, k) for k in (3, 4) for plan in plans}
    samples = [dataset("circles", sample=sample) for sample in range(5)]
    pairs = [[mean_of_ten_seeds(each, plan, 3) for plan in plans] for each in samples]
    ahead = [by_grid > at_random for by_grid, at_random in pairs]
    assert means["grid", 4] == pytest.approx(means["random", 4], abs=0.005)
    larger = shown(trial, searched(data, per_axis=4, seed=1), trials="16", plan="grid")
    first = [grid.end.wrong.min(), grid.end.judges, grid.test_wrong, grid.best.n]
    best = drawn.end.rates[drawn.end.best]
    second = [*np.unique(grid.end.rates), best, drawn.end.wrong.min(), drawn.test_wrong]
    third = [SEEDS, means["grid", 3], means["random", 3], sum(ahead), len(ahead), range(5)]
    return [*first, *second, *third, np.unique(larger.end.rates)[2], means["grid", 4]]


def mean_of_ten_seeds(data: Dataset, plan: str, k: int) -> float:
    """Return the mean test error of the choice, from the seeds 0 to 9."""
    return float(np.mean([s.test_wrong / s.best.n for s in of_ten_seeds(data, plan, k)]))


def of_ten_seeds(data: Dataset, plan: str, k: int) -> list[Search]:
    """Return the searches from the seeds 0 to 9."""
    return [searched(data, plan=plan, per_axis=k, seed=seed) for seed in SEEDS]


def it_pays_for_a_while(trial: Trial) -> Numbers:
    trial.steps()
    found = shown(trial, searched(trial.data, plan="random", seed=1))
    validation, test = found.means(1, 4, 36)
    falls = []
    for search in of_ten_seeds(trial.data, "random", 6):
        E, T = search.means(4, 36)
        falls.append((E[0] - E[1], T[0] - T[1]))
    return [*validation, *test, found.end.judges, SEEDS, *np.mean(falls, axis=0)]


def the_best_of_49_coins(trial: Trial) -> Numbers:
    trial.steps()
    how = {"plan": "random", "per_axis": 7}
    found = shown(trial, searched(trial.data, validation=10, seed=1, **how))
    assert found.best.test is not None
    single, best_of_4 = found.means(1, 4)[0]
    unseen = range(2, 10)
    others = [
        searched(trial.data, validation=10, seed=seed, **how).end.wrong.min() for seed in unseen
    ]
    many = shown(trial, searched(trial.data, validation=50, seed=1, **how), validation="50")
    for sample in (1, 2):
        new = searched(dataset("chance", sample=sample), validation=10, seed=sample, **how)
        assert new.end.error < 0.4 < new.test_wrong / new.best.n
    first = [found.end.wrong.min(), found.end.judges, found.end.error, single, 4, best_of_4]
    second = [found.best.test.min(), found.best.test.max(), unseen]
    third = [range(min(others), max(others) + 1), found.end.judges]
    return [*first, *second, *third, many.end.judges, many.end.wrong.min(), many.end.error]


def pair(trial: Trial, **changes: str) -> tuple[list[BatchStep], list[BatchStep]]:
    """Return the steps with batch normalisation, and those without on the same mini-batches."""
    ours = trial.steps(**changes)
    run = trial.session.run_shown
    assert run is not None and run.call is not None
    how = run.call.how | {"normalise": False, "rng": deepcopy(run.call.how["rng"])}
    return list(ours), list(run.call.function(*run.call.args, **how))


def ends(trial: Trial, **changes: str) -> tuple[int, int]:
    """Return how many training points are wrong at the end, with and without normalisation."""
    ours, theirs = pair(trial, **changes)
    return count(ours[-1]), count(theirs[-1])


def a_rate_too_large(trial: Trial) -> Numbers:
    found = ends(trial)
    others = [ends(trial, seed=str(i), sample=str(i)) for i in range(1, 11)]
    least, most = min(plain for _, plain in others), max(ours for ours, _ in others)
    assert found[0] == 0
    return [LEARNED, found[1], least, most, *ends(trial, rate="1")]


def one_column_too_large(trial: Trial) -> Numbers:
    ours, theirs = pair(trial)
    network = ours[-1].network
    W = network.weights[0] * [[100.0], [1.0]]  # of the standardised columns
    assert (np.abs(W[0]) > 20 * np.abs(W[1])).all()
    assert ends(trial, factor="1") == (0, 0)
    others = [ends(trial, seed=str(i), sample=str(i)) for i in range(1, 11)]
    with_it = [here for here, _ in others]
    assert ours[-1].through is not None
    spread = float(ours[-1].through.z_hat[0].std())
    found = [min(with_it), max(with_it), min(there for _, there in others), spread, 1]
    return [count(ours[-1]), LEARNED, count(theirs[-1]), *found]


def a_bias_that_does_nothing(trial: Trial) -> Numbers:
    (with_5, plain), (with_0, learned) = pair(trial), pair(trial, bias="0")
    for a, b in zip(with_5[-1].weights, with_0[-1].weights, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9)
    early = abs(with_5[3].loss - with_0[3].loss)
    assert early > 1e-3 > abs(with_5[-1].loss - with_0[-1].loss)
    for seed in range(1, 6):
        assert ends(trial, seed=str(seed), sample=str(seed))[1] >= 69
    return [
        count(plain[-1]), LEARNED, count(learned[-1]), 0, count(with_5[-1]),
        float(with_5[-1].biases[0].min()),
    ]  # fmt: skip


def a_batch_of_one(trial: Trial) -> Numbers:
    ours, theirs = pair(trial)
    for step in ours:
        assert step.through is None or not step.through.z_hat[0].any()
    for before, after in pairwise(ours):
        np.testing.assert_array_equal(before.weights[0], after.weights[0])
    for seed in range(1, 6):
        here, there = ends(trial, seed=str(seed), sample=str(seed))
        assert there < here >= 69
    many, _ = pair(trial, batch="30", predict="one at a time")
    data = trial.data
    held = held_out(len(data.X), 0.3, rng=np.random.default_rng([0, 1]), codes=data.labels)
    said = many[-1].network_alone.predict(polynomial_features(data.X[~held], 1)(data.X[held]))
    assert len(set(said.tolist())) == 1
    wrong = np.count_nonzero(said != data.labels[held])
    assert f"{wrong} one at a time" in trial.session.captions[len(trial.session.captions) - 1]
    return [
        0,
        count(ours[-1]),
        LEARNED,
        count(theirs[-1]),
        count(many[-1]),
        int(wrong),
        int(held.sum()),
    ]


test_claims = claims_test(
    "multilayer_perceptron",
    {
        "Exclusive or": exclusive_or,
        "All alike": all_alike,
        "A dead layer": a_dead_layer,
        "Gradients that vanish": gradients_that_vanish,
        "Learnt by heart": learnt_by_heart,
        "Rolling on": rolling_on,
        "Three rates or nine": three_rates_or_nine,
        "It pays, for a while": it_pays_for_a_while,
        "The best of 49 coins": the_best_of_49_coins,
        "A rate too large": a_rate_too_large,
        "One column too large": one_column_too_large,
        "A bias that does nothing": a_bias_that_does_nothing,
        "A batch of one": a_batch_of_one,
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
