"""What the mode shows of the vote on the picked point, and what it writes of the labels."""

import numpy as np
import pytest
from numpy import ndarray

from algorithms.graphs.relational_neighbor import WEIGHTS, graph, relational_neighbor
from tests.core.figures import line
from tests.core.samples import board, labelled
from tests.core.told import numbers
from viz.core.scene import Run
from viz.graphs.relational_neighbor import Rounds

X, Y = labelled("circles", 80, noise=0.15)
PICKED = 6


def made(known: ndarray, weights: str = WEIGHTS[0], k: int = 5) -> Rounds:
    steps = list(relational_neighbor(X, Y, known, n_neighbors=k, weights=weights))
    edges = graph(X, k, weights)
    return Rounds(Run("", steps), board(X, Y, ("1", "2")), known, edges, PICKED)


def first(count: int) -> ndarray:
    return np.isin(np.arange(len(X)), np.arange(count))


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_last_bar_is_the_mean_of_the_others_by_their_widths(weights: str) -> None:
    mode = made(first(4), weights)
    votes = 0
    for now, step in enumerate(mode.steps[1:], 1):
        *bars, level, beside = mode.votes(now)["data"]
        width = np.array(bars[0]["width"][:-1])
        *shares, none = (np.array(each["y"]) for each in bars)
        np.testing.assert_allclose(sum(shares) + none, 1)
        heard = none[:-1] == 0
        assert (none[-1] == 0) == step.reached[PICKED] == heard.any()
        if heard.any():
            votes += 1
            means = [np.average(each[:-1][heard], weights=width[heard]) for each in shares]
            np.testing.assert_allclose([each[-1] for each in shares], means)
            between = 1e-6 < means[0] < 1 - 1e-6  # two classes have a share
            height = means[0] if between else np.nan
            np.testing.assert_allclose(line(level)[:2, 1], height, rtol=1e-6)
            said = [numbers(text)[1] for text in beside["text"] if text]
            told = [100 * mean for mean in means if mean > 0]
            np.testing.assert_allclose(said, told, atol=0.5 + 1e-9)
    assert votes > 5


def test_the_nearest_neighbour_comes_first() -> None:
    mode = made(first(4))
    apart = np.hypot(*(X[mode.near] - X[PICKED]).T)
    assert len(apart) >= 5 and (np.diff(apart) >= 0).all()


@pytest.mark.parametrize("k", [3, 5])
def test_the_first_line_counts_the_labels(k: int) -> None:
    mode = made(first(4), k=k)
    for now, step in enumerate(mode.steps[1:], 1):
        none = int((~step.reached).sum())
        wrong = int((step.reached & (step.labels != Y)).sum())
        round_number, *told = numbers(mode.caption(now).split("\n")[0])
        assert round_number == now
        if step.event == "converged":
            found = step.reached & ~mode.known
            right = int((found & (step.labels == Y)).sum())
            change, *told = told
            assert step.change > 0 and change == pytest.approx(step.change, rel=5e-3)
            assert told == [right, int(found.sum()), none][: 2 + (none > 0)]
        elif step.gained:
            assert told == [step.gained, *[count for count in (none, wrong) if count]]
        else:
            moved = int((step.labels != mode.steps[now - 1].labels).sum())
            assert told == [count for count in (moved, wrong) if count]
            change = numbers(mode.caption(now).split("Shares change by")[1])[0]
            assert change == pytest.approx(step.change, rel=5e-3)


def test_a_neighbour_without_a_vote_is_an_empty_bar() -> None:
    mode = made(first(4))
    for now in (1, len(mode.steps) - 1):
        *shares, none = mode.votes(now)["data"][:3]
        empty = np.array(none["y"]) > 0
        assert none["marker"]["color"].endswith(", 0)")  # transparent
        assert (np.array(none["marker"]["line"]["width"])[empty] >= 1).all()
        assert all(each["marker"]["color"].startswith("#") for each in shares)


def test_many_edges_are_thin_and_those_of_the_picked_point_stay_bold() -> None:
    few, many = made(first(4), k=5), made(first(4), k=60)
    for mode in (few, many):
        at_picked = (mode.edges == PICKED).any(axis=1)
        assert mode.widths[at_picked].min() > 2 * mode.widths[~at_picked].max()
    assert len(few.edges) < 1200 < len(many.edges)
    assert 0.25 <= many.widths.min() < 0.5 * few.widths.min()


def test_a_class_without_a_known_point_is_named() -> None:
    only = np.flatnonzero(Y == 1)[:2]
    known = np.isin(np.arange(len(X)), only)
    assert "none of class 1: no point can get" in made(known).caption(0)
    assert "none of class" not in made(first(4)).caption(0)
