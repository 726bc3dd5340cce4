"""Evidence, piece by piece, against sums over the rows of the joint table."""

import numpy as np
import pytest

from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS, yes
from algorithms.graphs.belief_networks.joint import joint_table
from tests.graphs.belief_networks import every_row

ARGUMENTS = {"network": BELIEF_NETWORKS["storm"].network, "evidence": {"Late": 1, "Storm": 0}}


def test_every_step_has_the_posteriors_of_what_is_seen_so_far() -> None:
    for case in range(40):
        rng = np.random.default_rng(case)
        network = every_row.random_network(rng)
        evidence = every_row.random_evidence(rng, network)
        steps = list(joint_table(network, evidence))
        assert len(steps) == 1 + len(evidence) and steps[-1].event == "finished"
        for step in steps:
            seen = {name: evidence[name] for name in step.seen}
            for name, p in every_row.posteriors(network, seen).items():
                assert step.posteriors[name] == pytest.approx(p, abs=1e-9)


def test_a_joint_table_of_too_many_rows_is_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="rows"):
        joint_table({f"x{i}": yes(0.5) for i in range(21)}, {})
