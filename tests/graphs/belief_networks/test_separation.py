"""d-separation against the moral graph of the ancestors, and against the numbers."""

from itertools import combinations

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.belief_networks import elimination
from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS
from algorithms.graphs.belief_networks.separation import d_separation
from tests.core.figures import line
from tests.graphs.belief_networks import every_row
from tests.house.checked import Checked
from viz.core.scene import Run
from viz.graphs.belief_networks.marks import Task
from viz.graphs.belief_networks.separation import Separation

MORAL = Checked(
    "belief_networks", "Paths in the moral graph of the ancestors", 200, "random networks"
)
ARGUMENTS = {
    "network": BELIEF_NETWORKS["storm"].network,
    "a": "Power cut",
    "b": "Fallen tree",
    "given": ("Late",),
}
# 20APC3316's example: its B, C, D, E, F and G
B, C, D, E, F, G = "Power cut", "Storm", "Fallen tree", "Dark lights", "Jam", "Late"


def test_paths_and_the_moral_graph_agree_and_so_do_the_numbers() -> None:
    both = set()
    for case in range(MORAL.cases):
        rng = np.random.default_rng(case)
        network = every_row.random_network(rng)
        a, b, *others = rng.permutation(list(network)).tolist()
        given = tuple(others[: rng.integers(0, len(others) + 1)])
        end = last(d_separation(network, a, b, given))
        assert end.event == "finished"
        assert end.separated == every_row.separated(network, a, b, given)
        evidence = dict.fromkeys(given, 0)
        found = [elimination.posteriors(network, evidence | {a: v})[b] for v in (0, 1)]
        assert end.separated == bool(np.allclose(*found, atol=1e-9))
        both.add(end.separated)
    assert both == {True, False}


def test_the_paths_of_the_notes() -> None:
    network = BELIEF_NETWORKS["storm"].network

    def opened(a: str, b: str, *given: str) -> set[tuple[str, ...]]:
        return set(last(d_separation(network, a, b, given)).open_paths)

    assert (B, C, D, F) not in opened(B, F, C) and (B, C, D, F) in opened(B, F)
    assert (B, E, F, G) not in opened(B, G, F) and (B, E, F, G) in opened(B, G)
    assert (B, E, F, D) not in opened(B, D)
    assert (B, E, F, D) in opened(B, D, F) and (B, E, F, D) in opened(B, D, G)


def test_neighbours_are_never_separated_and_strangers_always() -> None:
    network = BELIEF_NETWORKS["storm"].network
    others = [x for x in network if x not in (B, C)]
    for count in range(len(others) + 1):
        for given in combinations(others, count):
            assert not last(d_separation(network, B, C, given)).separated
    alone = {"A": ((), [0.5, 0.5]), "B": ((), [0.5, 0.5])}
    (step,) = d_separation(alone, "A", "B", ())
    assert step.separated and step.event == "finished"


@pytest.mark.parametrize("ends", [(B, B), (B, G), ("X", C)])
def test_bad_ends_are_named_at_the_call(ends: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="a and b"):
        d_separation(BELIEF_NETWORKS["storm"].network, *ends, (G,))


@pytest.mark.parametrize(("seen", "blocked"), [(("Late",), 0), (("Storm",), 2), ((), 1)])
def test_news_gets_to_the_end_of_a_path_or_to_the_variable_that_blocks_it(
    seen: tuple[str, ...], blocked: int
) -> None:
    named = BELIEF_NETWORKS["storm"]
    run = Run("", list(d_separation(named.network, B, D, seen)))
    show = Separation(run, Task(named, dict.fromkeys(seen, 1)), B, D)
    news, crosses = (line(trace) for trace in show.picture(len(run.steps) - 1)["data"][:2])
    ends = np.flatnonzero(np.isnan(news[:, 0]))
    assert len(ends) == 2, "a band along each path"
    assert np.isfinite(crosses[:, 0]).sum() == blocked
    reached = np.isclose(news[ends - 1], named.places[D]).all(axis=1)
    assert reached.sum() == 2 - blocked
    starts = news[[0, *(ends[:-1] + 1)]]
    np.testing.assert_allclose(starts, [named.places[B]] * 2, rtol=1e-5)
