"""The modes of the lab; its lesson is belief_networks.md."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy import ndarray

from algorithms.graphs.belief_networks import elimination, joint, messages, separation
from algorithms.graphs.belief_networks.examples import (
    BELIEF_NETWORKS,
    NO,
    YES,
    NamedNetwork,
    row_places,
    with_yes,
)
from algorithms.graphs.belief_networks.messages import Way
from algorithms.graphs.belief_networks.network import Evidence, Network, edges
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.graphs.belief_networks import marks
from viz.graphs.belief_networks.elimination import Elimination
from viz.graphs.belief_networks.joint import JointTable
from viz.graphs.belief_networks.marks import Task
from viz.graphs.belief_networks.messages import Messages
from viz.graphs.belief_networks.separation import Separation

TABLES = 2  # the view with the tables; 3 beside the paths
UNSEEN = "not seen"
VALUES: dict[str, int] = {"yes": YES, "no": NO}
STATES = [UNSEEN, *VALUES]  # a press on a card goes to the next one
ORDERS = {"smallest product first": "smallest", "largest product first": "largest"}


def evidence(lab: Lab) -> Shown:
    """See one variable after the other: which bars move?"""
    task = ask_task(lab, "wet grass", most=2)
    picked = ask_picked(lab, task, task.named.places, task.named.asked[0])
    run = lab.run_apart(joint.joint_table, task.named.network, task.evidence)
    return replace(lab.scene(JointTable, run, task, picked, code=joint), grows=True)


def summing_out(lab: Lab) -> Shown:
    """Sum out one variable after the other."""
    task = ask_task(lab, "wet grass")
    query = ask_unseen(lab, task, "asked", "Asked for", task.named.asked[0])
    order = ORDERS[lab.choice("order", "Order", list(ORDERS), "smallest product first")]
    run = lab.run_apart(
        elimination.variable_elimination, task.named.network, task.evidence, query, order=order
    )
    return lab.scene(Elimination, run, task, order, code=elimination)


def message_passing(lab: Lab) -> Shown:
    """Send messages from card to card."""
    task = ask_task(lab, "burglar alarm")
    cards = task.named.places
    arrows = {(u, x): np.mean([cards[u], cards[x]], axis=0) for u, x in edges(task.named.network)}
    ends = [name for arrow in arrows for name in arrow]
    picked = ask_picked(lab, task, cards | arrows, max(cards, key=ends.count))
    run = lab.run_apart(messages.belief_propagation, task.named.network, task.evidence)
    return lab.scene(Messages, run, task, picked, code=messages)


def open_paths(lab: Lab) -> Shown:
    """Walk along the paths between two variables: is one open?"""
    task = ask_task(lab, "storm", apart=True, view=3)
    first = ask_unseen(lab, task, "from", "From", task.named.asked[0])
    second = ask_unseen(lab, task, "to", "To", task.named.asked[1], but=first)
    run = lab.run_apart(
        separation.d_separation, task.named.network, first, second, tuple(task.evidence)
    )
    return lab.scene(Separation, run, task, first, second, code=separation)


def ask_task(
    lab: Lab, first: str, *, most: int = 1, apart: bool = False, view: int = TABLES
) -> Task:
    """Ask for the network, what is seen, and the tables.

    first : the network to begin with. most : how many variables are seen to begin with. apart : not
    those that the network is about. view : the one with the tables.
    """
    names = list(BELIEF_NETWORKS)
    name = lab.choice("network", "Network", names, first)
    named = BELIEF_NETWORKS[name]
    begin = [each for each in named.seen if not (apart and each in named.asked)][:most]
    found: Evidence = {}
    for each in reversed(named.network):
        key = each.lower().replace(" ", "_")
        default = "yes" if each in begin else UNSEEN
        value = lab.buttons(key, each, STATES, default)
        if value in VALUES:
            found[each] = VALUES[value]
        follows = STATES[(STATES.index(value) + 1) % len(STATES)]
        card = np.array(named.places[each])
        what = f"{each}: {value}. Press: {follows}"
        lab.choose_at(key, follows, what, card, size=2 * marks.HALF)
    key = f"tables_{names.index(name) + 1}"
    return Task(named._replace(network=ask_tables(lab, key, named, view)), found)


def ask_tables(lab: Lab, key: str, named: NamedNetwork, view: int) -> Network:
    """Ask for the probability of yes in every row of every table, whose bars are dragged."""
    places = row_places(named.network)
    within = (0.0, float(places[-1, 0]), 0.0, 1.0)
    dragged = lab.places(
        key, "Probability of yes", places, look="line", within=within, view=view, along="y"
    )[:, 1]
    lab.handles[-1]["places"] = np.column_stack([places[:, 0], dragged]).tolist()
    network, row = {}, 0
    for name, node in named.network.items():
        shape = node.table.shape[:-1]
        count = int(np.prod(shape))
        shares = dragged[row : row + count][::-1].reshape(shape)
        network[name] = node._replace(table=with_yes(shares))
        row += count
    return network


def ask_unseen(
    lab: Lab, task: Task, name: str, label: str, default: str, *, but: str | None = None
) -> str:
    """Ask for a variable that is not seen, if there is one."""
    free = [each for each in task.named.network if each not in task.evidence and each != but]
    free = free or list(task.named.network)
    return lab.choice(name, label, free, default if default in free else free[0])


def ask_picked(lab: Lab, task: Task, there: Mapping[Any, Any], first: str) -> str | Way:
    """Ask for a card or an arrow, whose number is explained; the nearest one counts."""
    names, places = list(there), np.array(list(there.values()), float)
    default = places[[names.index(first)]]
    place = lab.places("picked", "Picked point", default, look="query", within=task.named.box)
    nearest = int(np.square(places - place).sum(axis=1).argmin())
    lab.handles[-1]["places"] = (places[[nearest]] + ring(names[nearest])).tolist()
    return names[nearest]


def ring(picked: str | Way) -> ndarray:
    """Return where the ring is: on the frame of a card, or above the numbers of an arrow."""
    return np.array([0, 0.16]) if isinstance(picked, tuple) else marks.HALF * [1, 0.5]


MODES = {
    "evidence": evidence,
    "elimination": summing_out,
    "messages": message_passing,
    "d-separation": open_paths,
}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
