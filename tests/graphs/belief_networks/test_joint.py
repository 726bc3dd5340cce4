"""Evidence, piece by piece, against sums over the rows of the joint table."""

import numpy as np
import pytest

from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS, yes
from algorithms.graphs.belief_networks.joint import joint_table
from tests.core.figures import line
from tests.graphs.belief_networks import every_row
from viz.core.scene import Run
from viz.graphs.belief_networks.joint import JointTable
from viz.graphs.belief_networks.marks import Task

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


def test_few_rows_have_the_names_of_the_variables_beside_them() -> None:
    named = BELIEF_NETWORKS["wet grass"]
    task = Task(named, {})
    steps = list(joint_table(named.network, {}))
    show = JointTable(Run("", steps), task, task.names[0])
    axis = show.joint(0)["layout"]["xaxis"]
    beside, *rows = axis["ticktext"]
    assert beside.split("<br>") == list(task.names)
    place, *places = axis["tickvals"]
    assert axis["range"][0] < place < -0.7 and places == list(range(16))
    assert rows[0].split("<br>") == [name[0] for name in task.names], "all yes"
    assert rows[-1].split("<br>") == ["·"] * len(task.names), "all no"


def test_of_many_rows_only_the_letters_are_written() -> None:
    named = next(each for each in BELIEF_NETWORKS.values() if len(each.network) > 4)
    task = Task(named, {})
    steps = list(joint_table(named.network, {}))
    axis = JointTable(Run("", steps), task, task.names[0]).joint(0)["layout"]["xaxis"]
    assert axis["range"][0] == -0.7 and set(axis["ticktext"]) == {""}
    assert axis["title"]["text"].startswith(f"{2 ** len(task.names)} rows: ")


def test_the_bar_of_the_picked_card_shows_yes_and_no() -> None:
    named = BELIEF_NETWORKS["wet grass"]
    steps = list(joint_table(named.network, {"Wet grass": 1}))
    show = JointTable(Run("", steps), Task(named, {"Wet grass": 1}), "Sprinkler")
    for now, step in enumerate(steps):
        traces = show.picture(now)["data"]
        bars = [line(trace) for trace in traces if "picked" in trace.get("name", "")]
        yes, no = (np.nanmax(bar[:, 0]) - np.nanmin(bar[:, 0]) for bar in bars)
        assert yes / (yes + no) == pytest.approx(step.posteriors["Sprinkler"][1], rel=1e-4)
