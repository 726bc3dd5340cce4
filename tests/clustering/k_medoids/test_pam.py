"""What the mode "PAM" shows and writes, recomputed from the data."""

from dataclasses import replace

import numpy as np
import pytest
from numpy import ndarray
from scipy.spatial.distance import cdist

from algorithms.clustering.k_means.many_starts import lowest_inertia
from algorithms.clustering.k_medoids.k_medoids import Event, KMedoidsStep, k_medoids
from tests.core.figures import line, places, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers
from tests.house.check_steps import event_names
from viz.clustering.k_medoids.k_medoids import Swaps
from viz.core.scene import Run

X = points_of("blobs")
D = cdist(X, X)
QUERY = np.array([0.3, -0.2])
PICKED = int(np.square(X - QUERY).sum(axis=1).argmin())


def run(X: ndarray, k: int, **how) -> list[KMedoidsStep]:
    return list(k_medoids(X, k, rng=np.random.default_rng(3), **how))


def show(X: ndarray, steps: list[KMedoidsStep], query: ndarray = QUERY) -> Swaps:
    k = len(steps[-1].medoids)
    means = lowest_inertia(X, k, rng=np.random.default_rng(0), restarts=10)
    return Swaps(Run("", steps), board(X), means, query, "BUILD")


def farthest(medoids: ndarray) -> float:
    """Return how far the centres of k-means are at most from the nearest medoid."""
    means, *_ = lowest_inertia(X, 4, rng=np.random.default_rng(0), restarts=10)
    return float(cdist(means, medoids).min(axis=1).max())


STEPS = run(X, 4)
RANDOM = run(X, 4, init="random")
MODE, FROM_RANDOM = show(X, STEPS), show(X, RANDOM)


def moved(now: int) -> list[list[int]]:
    """Return which points of the random start come nearer in a step, and which go farther."""
    if now == 0:
        return [[], []]
    after, before = (D[RANDOM[i].medoids].min(axis=0) for i in (now, now - 1))
    changes = after - before
    return [np.flatnonzero(far * changes > 1e-9).tolist() for far in (-1, 1)]


@pytest.mark.parametrize("now", range(len(RANDOM)))
def test_lines_join_every_point_to_its_medoid(now: int) -> None:
    step = RANDOM[now]
    figure = FROM_RANDOM.picture(now)
    np.testing.assert_allclose(places(figure), X, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(figure["points"]["group"]), step.labels)
    ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
    assert np.hypot(*(ends[:, :2] - ends[:, 2:]).T).sum() == pytest.approx(step.cost, rel=1e-5)
    way, longer, old, ring, means, centers, before, mean, key = figure["data"]
    nearer, farther = moved(now)
    wide = unpacked(figure["edges"]["width"]) > 1
    np.testing.assert_array_equal(np.flatnonzero(wide), nearer)
    absent = unpacked(figure["edges"]["width"]) == 0
    np.testing.assert_array_equal(np.flatnonzero(absent), farther)  # these are dashed
    drawn = line(longer)[1:].reshape(-1, 3, 2)
    np.testing.assert_allclose(drawn[:, 0], step.places[step.labels[farther]], rtol=1e-6)
    np.testing.assert_allclose(drawn[:, 1], X[farther], rtol=1e-6)
    said = [len(each) for each in (nearer, farther) if len(each)]
    assert numbers(key["text"][0]) == said
    np.testing.assert_allclose(np.column_stack([centers["x"], centers["y"]]), X[step.medoids])
    assert len(line(means)) == 4
    seen = line(means)[~np.isnan(line(means)[:, 0])]
    assert (np.hypot(*(seen[:, None] - X[step.medoids]).T) > 0.05).all(), "none is covered"
    assert not len(seen) or now == len(RANDOM) - 1, "they are compared with the result"
    assert mean["text"] == ["centre of k-means" if len(seen) else ""]
    assert before["text"] == ["before" if step.gone >= 0 else ""]
    assert np.isnan(line(ring)).all(), "it is for the choices of BUILD"
    if step.taken >= 0:
        np.testing.assert_allclose(line(way)[[0, -1]], X[[step.gone, step.taken]], rtol=1e-6)
        np.testing.assert_allclose(line(old), X[[step.gone]], rtol=1e-6)
    else:
        assert np.isnan(line(way)).all()


@pytest.mark.parametrize("now", range(4))
def test_a_ring_shows_the_choice_of_build(now: int) -> None:
    ring = MODE.picture(now)["data"][3]
    np.testing.assert_allclose(line(ring), X[[STEPS[now].taken]], rtol=1e-6)


def test_k_means_with_the_same_centres_has_no_cross() -> None:
    every = run(X[:3], 3)
    mode, end = show(X[:3], every), len(every) - 1
    assert np.isnan(line(mode.picture(end)["data"][4])).all()
    assert "k-means puts its centres at nearly the same places." in mode.caption(end)


def cost(medoids: list[int]) -> float:
    return float(D[medoids].min(axis=0).sum())


def cost_of_each(step: KMedoidsStep) -> ndarray:
    return D[step.medoids].min(axis=0)


@pytest.mark.parametrize(("mode", "steps"), [(MODE, STEPS), (FROM_RANDOM, RANDOM)])
def test_the_bars_show_what_the_best_swap_of_each_medoid_changes(
    mode: Swaps, steps: list[KMedoidsStep]
) -> None:
    for now, step in enumerate(steps):
        bars, _ = mode.best(now)["data"]
        before = steps[max(now - 1, 0)]
        if step.phase == "swap":
            others = np.setdiff1d(np.arange(len(X)), before.medoids)
            medoids = before.medoids.tolist()
            kept = [[*medoids[:j], *medoids[j + 1 :]] for j in range(4)]
            swapped = [[cost([*each, c]) for c in others.tolist()] for each in kept]
            expected = np.min(swapped, axis=1) - before.cost
            made = zip(kept, step.candidates.tolist(), strict=True)
            np.testing.assert_allclose(
                [cost([*each, c]) for each, c in made], np.min(swapped, axis=1)
            )
        else:
            whole = [cost(steps[i].medoids.tolist()) for i in range(now + 1)]
            expected = np.append(0, np.diff(whole) if step.phase == "build" else [])
        drawn = np.zeros(4)
        drawn[: len(expected)] = expected
        np.testing.assert_allclose(bars["y"], drawn, atol=1e-6 * before.cost)
        written = [text.split("<br>")[1] for text in mode.best(now)["layout"]["xaxis"]["ticktext"]]
        for text, change in zip(written, bars["y"], strict=True):
            assert numbers(text) == ([pytest.approx(change, rel=6e-3)] if change else [])
        low, high = mode.best(now)["layout"]["yaxis"]["range"]
        assert low < min(bars["y"]) and high > max(bars["y"])
        strong = [j for j, opacity in enumerate(bars["marker"]["opacity"]) if opacity == 1]
        assert strong == ([step.place] if step.taken >= 0 else [])
        if step.phase == "swap" and strong:
            assert strong == [int(np.argmin(bars["y"]))] and min(bars["y"]) < 0
    assert min(mode.best(len(steps) - 1)["data"][0]["y"]) >= 0  # converged


def test_the_run_opens_at_its_first_swap() -> None:
    for mode, steps in ((MODE, STEPS), (FROM_RANDOM, RANDOM)):
        opened = mode.scene().opens
        assert steps[opened].gone >= 0 and all(step.gone < 0 for step in steps[:opened])


def test_without_a_swap_to_make_there_is_no_bar() -> None:
    every = run(X[:3], 3)
    assert not any(show(X[:3], every).best(len(every) - 1)["data"][0]["y"])


def test_a_short_run_has_whole_steps_on_its_axis() -> None:
    few = run(X[:20], 2)
    assert len(few) < 6 and len(STEPS) > 8
    for shown, steps in ((show(X[:20], few), few), (FROM_RANDOM, RANDOM)):
        for now in range(len(steps)):
            assert shown.cost(now)["layout"]["xaxis"]["dtick"] == 1
    axis = MODE.cost(0)["layout"]["xaxis"]
    assert "dtick" not in axis and axis["nticks"] == 8


def test_the_captions_while_building() -> None:
    for now, step in enumerate(STEPS[:4]):
        first, rule, mine = map(numbers, MODE.caption(now).split("\n"))
        medoids = step.medoids.tolist()
        falls = [cost(medoids[:-1]) - cost(medoids), cost(medoids)] if now else []
        np.testing.assert_allclose(first, [now + 1, *X[medoids[-1]], *falls], rtol=6e-3)
        np.testing.assert_allclose(rule, [cost(medoids), 200 - now], rtol=6e-4)
        would = cost([*medoids[:-1], PICKED])
        np.testing.assert_allclose(mine, [now + 1, would], rtol=6e-4)


def test_the_captions_of_the_swaps() -> None:
    assert numbers(FROM_RANDOM.caption(0).split("\n")[0]) == [4]
    swaps = 0
    for before, step, now in zip(RANDOM, RANDOM[1:], range(1, 99), strict=False):
        first, rule, mine = map(numbers, FROM_RANDOM.caption(now).split("\n"))
        medoids = before.medoids.tolist()
        options = np.array(
            [[cost([*medoids[:j], c, *medoids[j + 1 :]]) for c in range(200)] for j in range(4)]
        )
        real = np.delete(options, medoids, axis=1)
        if step.taken < 0:
            np.testing.assert_allclose(first, [farthest(step.places)], rtol=6e-3)
            told = [step.cost, now - 1, 4, 196, 784, real.min()]
            last = [real.min() - step.cost]
            np.testing.assert_allclose(np.abs(rule), [*told, *last], rtol=6e-3)
        else:
            swaps += 1
            counts = [len(each) for each in moved(now) if len(each)]
            told = [step.place + 1, *counts, before.cost - step.cost, step.cost]
            np.testing.assert_allclose(first, told, rtol=6e-3)
            changes = cost_of_each(step) - cost_of_each(before)
            sums = [changes[changes > 0].sum(), -changes[changes < 0].sum(), changes.sum()]
            np.testing.assert_allclose(rule[:3], sums, rtol=6e-3, atol=0.051)
            assert rule[0] - rule[1] == pytest.approx(rule[2])
            better = np.count_nonzero(real < before.cost * (1 - 1e-12))
            assert real.min() == pytest.approx(step.cost)
            told = [4, 196, 784, better, *X[step.taken]]
            np.testing.assert_allclose(rule[3:], told, rtol=6e-3)
        if PICKED not in medoids:
            j = int(options[:, PICKED].argmin())
            np.testing.assert_allclose(mine, [j + 1, options[j, PICKED], before.cost], rtol=6e-4)
    assert swaps > 1


def test_a_picked_point_that_is_a_medoid_is_named() -> None:
    mode = show(X, STEPS, X[STEPS[-1].medoids[2]])
    assert numbers(mode.caption(len(STEPS) - 1).split("\n")[-1]) == [3]


@pytest.mark.parametrize("event", [event for event in event_names(Event) if event != "converged"])
def test_every_event_has_its_words(event: str) -> None:
    steps = run(X, 4, init="random", max_iter=1) if event.startswith("stopped") else STEPS
    (now,) = (i for i, step in enumerate(steps) if step.event == event)
    plain = [*steps[:now], replace(steps[now], event=None), *steps[now + 1 :]]
    named, silent = (show(X, each).caption(now) for each in (steps, plain))
    assert named != silent
