"""Messages against the joint table, row by row, with loops and without."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS
from algorithms.graphs.belief_networks.messages import belief_propagation, edges, has_loop
from tests.graphs.belief_networks import every_row
from tests.house.checked import Checked

MESSAGES = Checked(
    "belief_networks",
    "The full joint table, row by row, against messages without loops",
    60,
    "random networks with evidence",
    1e-9,
)
ARGUMENTS = {"network": BELIEF_NETWORKS["storm"].network, "evidence": {"Late": 1}}
R, W = "Rain", "Wet grass"


def test_messages_without_loops_are_exact_after_two_per_edge() -> None:
    for case in range(MESSAGES.cases):
        rng = np.random.default_rng(case)
        network = every_row.random_network(rng, tree=True)
        evidence = every_row.random_evidence(rng, network)
        steps = list(belief_propagation(network, evidence))
        assert len(steps) == 1 + 2 * len(edges(network)) and steps[-1].event == "finished"
        for name, p in every_row.posteriors(network, evidence).items():
            assert steps[-1].beliefs[name] == pytest.approx(p, abs=MESSAGES.within, rel=0)


def test_the_posteriors_of_the_last_message_are_exact_with_loops_too() -> None:
    looped = 0
    for case in range(30):
        rng = np.random.default_rng(1000 + case)
        network = every_row.random_network(rng)
        evidence = every_row.random_evidence(rng, network)
        looped += has_loop(network)
        end = last(belief_propagation(network, evidence))
        for name, p in every_row.posteriors(network, evidence).items():
            assert end.posteriors[name] == pytest.approx(p, abs=1e-9)
    assert looped > 10


def test_converged_messages_stay_as_they_are() -> None:
    network = BELIEF_NETWORKS["wet grass"].network
    end = last(belief_propagation(network, {W: 1}))
    longer = last(belief_propagation(network, {W: 1}, tol=1e-12, max_iter=200))
    assert end.event == longer.event == "converged"
    assert longer.beliefs[R] == pytest.approx(end.beliefs[R], abs=1e-3)
    assert last(belief_propagation(network, {W: 1}, max_iter=2)).event == "stopped at max_iter"
