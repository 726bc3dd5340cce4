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
from viz.graphs.belief_networks.marks import HALF, Task, arrows
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


@pytest.mark.parametrize(
    ("seen", "blocked", "passed"),
    [
        (("Late",), 0, [(B, C), (C, D), (B, E), (E, F), (F, D)]),
        (("Storm",), 2, [(B, C), (B, E), (E, F)]),
        ((), 1, [(B, C), (C, D), (B, E), (E, F)]),
    ],
)
def test_news_gets_to_the_end_of_a_path_or_to_the_variable_that_blocks_it(
    seen: tuple[str, ...], blocked: int, passed: list[tuple[str, str]]
) -> None:
    named = BELIEF_NETWORKS["storm"]
    run = Run("", list(d_separation(named.network, B, D, seen)))
    task = Task(named, dict.fromkeys(seen, 1))
    show = Separation(run, task, B, D)
    data = show.picture(len(run.steps) - 1)["data"]
    cards, news, crosses = (line(trace) for trace in data[:3])
    assert np.isfinite(crosses[:, 0]).sum() == blocked
    bands = sorted(news.reshape(-1, 3, 2)[:, :2].tolist())
    pairs = sorted(np.stack(arrows(task, passed), axis=1).tolist())
    np.testing.assert_allclose(bands, pairs, rtol=1e-5, atol=1e-6)
    stops = {C} if "Storm" in seen else set()
    stops |= {F} if "Late" not in seen else set()
    arrived = ({B} | {x for pair in passed for x in pair}) - stops
    middles = sorted(cards.reshape(-1, 6, 2)[:, :4].mean(axis=1).tolist())
    places = sorted(list(named.places[x]) for x in arrived)
    np.testing.assert_allclose(middles, places, rtol=1e-5, atol=1e-6)
    assert (D in arrived) == (blocked < 2)


def test_no_band_runs_through_the_words_of_a_card() -> None:
    named = BELIEF_NETWORKS["storm"]
    run = Run("", list(d_separation(named.network, B, D, ("Late",))))
    show = Separation(run, Task(named, {"Late": 1}), B, D)
    for now in range(len(run.steps)):
        news = line(show.picture(now)["data"][1])
        ends = news[np.isfinite(news[:, 0])]
        for place in named.places.values():
            assert (np.abs(ends - np.array(place)) > HALF - 1e-6).any(axis=1).all()
