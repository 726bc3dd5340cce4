"""What is drawn and written of every tree that asks about attributes."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy import ndarray

from algorithms.classification.decision_tree.attribute_tree import AttributeTree
from algorithms.classification.decision_tree.play_tennis import Table
from viz.classification.decision_tree.tree_diagram import ABSENT, INNER, LEAF
from viz.core import curves
from viz.core.scene import Figure
from viz.core.theme import GREY

TITLE = "The tree; ring: asked now; bold: the day's way"


def states(step: AttributeTree, whole: AttributeTree) -> ndarray:
    """Return the state of every node of the whole tree at a step."""
    known = len(step.attribute)
    state = np.full(len(whole.attribute), ABSENT)
    state[:known] = np.where(step.attribute >= 0, INNER, LEAF)
    return state


def conditions(table: Table, step: AttributeTree, node: int) -> list[str]:
    """Write the answers on the way to a node."""
    texts = []
    for above, below in pairwise(step.way(node)):
        attribute = int(step.attribute[above])
        value = int(np.flatnonzero(step.children[above] == below)[0])
        texts.append(f"{table.attributes[attribute]} = {table.values[attribute][value]}")
    return texts


def bars(
    names: Sequence[str], lengths: Sequence[float], texts: Sequence[str], best: int, axis: dict
) -> Figure:
    """Draw what every attribute is worth. best : the one that is asked about, or -1."""
    trace = {
        "type": "bar",
        "orientation": "h",
        "x": list(lengths),
        "y": list(names),
        "text": list(texts),
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {
            "color": GREY, "opacity": [1 if best == A else 0.45 for A in range(len(names))],
        },
        "hoverinfo": "skip",
    }  # fmt: skip
    layout = curves.panel_layout(
        xaxis=axis | {"nticks": 5}, yaxis={"range": [len(names) - 0.5, -0.5]}
    )
    layout["margin"] = {"l": 104, "r": 10, "t": 4, "b": 44}
    return {"data": [trace], "layout": layout}
