"""Elimination against the joint table, row by row, and the notes' numbers in three ways."""

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.belief_networks import elimination
from algorithms.graphs.belief_networks.elimination import ORDERS, variable_elimination
from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS, yes
from algorithms.graphs.belief_networks.joint import joint_table
from algorithms.graphs.belief_networks.messages import belief_propagation
from tests.graphs.belief_networks import every_row
from tests.house.checked import Checked

ELIMINATION = Checked(
    "belief_networks",
    "The full joint table, row by row, against elimination",
    120,
    "random networks with evidence",
    1e-9,
)
ARGUMENTS = {
    "network": BELIEF_NETWORKS["storm"].network,
    "evidence": {"Late": 1},
    "query": "Storm",
}
C, S, R, W = "Clouds", "Sprinkler", "Rain", "Wet grass"
B, E, A, J, M = "Burglary", "Earthquake", "Alarm", "John calls", "Mary calls"


def test_elimination_in_any_order() -> None:
    for case in range(ELIMINATION.cases):
        rng = np.random.default_rng(case)
        network = every_row.random_network(rng)
        evidence = every_row.random_evidence(rng, network)
        expected = every_row.posteriors(network, evidence)
        for name, p in expected.items():
            for order in ORDERS if name not in evidence else ():
                end = last(variable_elimination(network, evidence, name, order=order))
                assert end.posterior == pytest.approx(p, abs=ELIMINATION.within, rel=0)


@pytest.mark.parametrize(
    ("name", "query", "evidence", "expected"),
    [
        ("a chain", R, {}, 0.38),  # 20APC3316, 002:3110
        ("a chain", W, {}, 0.47),
        ("a chain", W, {C: 1}, 0.76),
        ("a chain", C, {W: 1}, 0.65),
        ("wet grass", C, {R: 1}, 0.89),
        ("wet grass", R, {}, 0.45),
        ("wet grass", R, {S: 1}, 0.22),
        ("wet grass", R, {S: 0}, 0.55),
        ("two causes", W, {}, 0.52),
        ("two causes", W, {S: 1}, 0.92),
        ("two causes", S, {W: 1}, 0.35),
        ("two causes", S, {W: 1, R: 1}, 0.21),
        ("burglar alarm", B, {J: 1, M: 1}, 0.284),  # Russell and Norvig
        ("burglar alarm", A, {J: 1, M: 1}, 0.761),
        ("burglar alarm", E, {J: 1, M: 1}, 0.176),
    ],
)
def test_the_worked_numbers(name: str, query: str, evidence: dict, expected: float) -> None:
    network = BELIEF_NETWORKS[name].network
    digits = 3 if name == "burglar alarm" else 2
    found = [
        elimination.posteriors(network, evidence),
        last(joint_table(network, evidence)).posteriors,
        last(belief_propagation(network, evidence)).posteriors,
    ]
    assert {round(float(p[query][1]), digits) for p in found} == {expected}


def test_rain_alone() -> None:
    """P(W) = 0.48 and P(R | W) = 0.75 in the notes' first network."""
    network = {R: yes(0.4), W: yes(0.9, 0.2, parents=(R,))}
    assert elimination.posteriors(network, {})[W][1] == pytest.approx(0.48)
    assert elimination.posteriors(network, {W: 1})[R][1] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("network", "evidence", "named"),
    [
        ({}, {}, "network"),
        ({"A": (("B",), [[1, 0]]), "B": (("A",), [[1, 0]])}, {}, "cycle"),
        ({"A": (("B",), [[1, 0]])}, {}, "parents"),
        ({"A": ((), [0.5, 0.6])}, {}, "table of A"),
        ({"A": ((), [[0.5, 0.5]])}, {}, "table of A"),
        ({"A": ((), [0.5, 0.5])}, {"B": 0}, "evidence"),
        ({"A": ((), [0.5, 0.5])}, {"A": 2}, "evidence of A"),
    ],
)
def test_bad_input_is_named_at_the_call(network: dict, evidence: dict, named: str) -> None:
    for algorithm in (joint_table, belief_propagation):
        with pytest.raises(ValueError, match=named):
            algorithm(network, evidence)


def test_one_variable_given_another() -> None:
    network = BELIEF_NETWORKS["wet grass"].network
    for a, b in ((S, R), (R, S)):
        found = elimination.conditional(network, {W: 1}, b, a)
        for value in (0, 1):
            expected = every_row.posteriors(network, {W: 1, a: value})[b]
            assert found[value] == pytest.approx(expected)
    certain = {"A": yes(1.0), "B": yes(1.0, 0.5, parents=("A",))}
    found = elimination.conditional(certain, {}, "B", "A")
    assert np.isnan(found[0]).all() and found[1].tolist() == [0, 1]


def test_impossible_evidence_is_named() -> None:
    network = {"A": yes(1.0), "B": yes(1.0, 0.5, parents=("A",))}
    evidence = {"B": 0}
    for run in (
        joint_table(network, evidence),
        belief_propagation(network, evidence),
        variable_elimination(network, evidence, "A"),
    ):
        with pytest.raises(ValueError, match="possible"):
            list(run)
    with pytest.raises(ValueError, match="query"):
        variable_elimination(network, evidence, "B")
