"""What a second cause explains away, against sums over the rows of the joint table."""

import numpy as np
import pytest

from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS, YES, yes
from algorithms.graphs.belief_networks.explaining_away import LEAST, explained_away
from algorithms.graphs.belief_networks.joint import joint_table
from tests.graphs.belief_networks import every_row
from viz.core.scene import Run
from viz.graphs.belief_networks.joint import JointTable
from viz.graphs.belief_networks.marks import Task

WET = BELIEF_NETWORKS["wet grass"]


def test_rain_explains_the_wet_grass_so_the_sprinkler_is_needed_less() -> None:
    assert explained_away(WET.network, {"Wet grass": 1, "Rain": 1}, "Sprinkler") == "Wet grass"
    assert explained_away(WET.network, {"Rain": 1, "Wet grass": 1}, "Sprinkler") is None
    assert explained_away(WET.network, {"Wet grass": 1, "Rain": 0}, "Sprinkler") is None
    assert explained_away(WET.network, {"Wet grass": 0, "Rain": 1}, "Sprinkler") is None
    assert explained_away(WET.network, {"Wet grass": 1, "Rain": 1}, "Rain") is None


def test_it_is_what_the_rows_of_the_joint_table_say() -> None:
    found = []
    for case in range(200):
        a, b, *effect = np.random.default_rng(case).uniform(0.02, 0.98, 6).tolist()
        network = {"A": yes(a), "B": yes(b), "E": yes(*effect, parents=("A", "B"))}

        def p(network=network, **seen: int) -> float:
            return float(every_row.posteriors(network, seen)["A"][YES])

        rise, left = p(E=1) - a, p(E=1, B=1) - p(B=1)
        expected = p(E=1, B=1) < p(E=1) and rise > LEAST and left < rise / 2
        found.append(explained_away(network, {"E": 1, "B": 1}, "A") == "E")
        assert found[-1] == expected, case
    assert 20 < sum(found) < 180


@pytest.mark.parametrize("order", [("Wet grass", "Rain"), ("Rain", "Wet grass")])
def test_the_caption_says_so(order: tuple[str, str]) -> None:
    task = Task(WET, dict.fromkeys(order, 1))
    show = JointTable(Run("", list(joint_table(WET.network, task.evidence))), task, "Sprinkler")
    headline = show.caption(2).split("\n")[0]
    told = "Sprinkler falls from 42 % to 15 %, partly because Rain explains Wet grass." in headline
    assert ("explains" in show.caption(2)) == told
    assert told == (order == ("Wet grass", "Rain"))

    def p(**seen: int) -> str:
        known = {name.replace("_", " "): value for name, value in seen.items()}
        return f"{100 * float(every_row.posteriors(WET.network, known)['Sprinkler'][YES]):.0f} %"

    words = (
        f"Wet grass raised Sprinkler from {p()} to {p(Wet_grass=1)}, and now from {p(Rain=1)} to "
        f"{p(Rain=1, Wet_grass=1)}. The rest of the change, {p()} to {p(Rain=1)}, comes through "
        "Clouds."
    )
    assert (words in show.caption(2)) == told
