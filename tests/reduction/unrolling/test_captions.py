"""What the captions say of a map, read beside its r²."""

import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from algorithms.reduction.unrolling.isomap import neighbor_graph
from algorithms.reduction.unrolling.short_cuts import shortest_ways
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.told import value

(LAB,) = (lab for lab in LABS if lab.name == "unrolling")
KEEPS = 0.9  # least r² of a map that keeps the ways, at least roughly


@pytest.mark.parametrize(
    "link",
    [{"neighbors": "6"}, {"neighbors": "13"}, {"neighbors": "2"}, {"data": "s_curve"}],
    ids=["whole", "torn", "pieces", "S"],
)
@pytest.mark.parametrize("view", ["isomap", "locally linear", "eigenmaps"])
def test_a_map_is_said_to_keep_the_ways_only_if_it_does(
    session: Session, view: str, link: dict
) -> None:
    captions = session.open(LAB, view=view, **link).captions
    with_axis = [said for said in captions if said.startswith(("Axis", "In the end"))]
    assert with_axis
    for said in with_axis:
        found = re.search(r"r² = ([\d.]+)", said)
        assert found
        if "only separates" not in said:
            assert ("the map keeps the distances" in said) == (value(found[1]) >= KEEPS)


@pytest.mark.parametrize("k", [6, 12])
def test_without_a_short_cut_the_edge_that_saves_most_is_measured(session: Session, k: int) -> None:
    said = session.open(LAB, neighbors=str(k)).captions[0]
    assert session.run_shown and session.run_shown.call
    (X, *_), step = session.run_shown.call.args, session.run_shown.steps[0]
    i, j = step.edges.T
    lengths = np.linalg.norm(X[i] - X[j], axis=1)
    whole = next(f for f in range(1, len(X)) if not len(neighbor_graph(cdist(X, X), f)[1]))
    ways = shortest_ways(neighbor_graph(cdist(X, X), whole)[0])[i, j]
    most = (ways - lengths).argmax()
    found = re.search(r"saves most is ([\d.]+) long, and ([\d.]+) along the curve", said)
    assert (found is not None) == (ways[most] > 1.15 * lengths[most]) == (k == 12)
    if found:
        told = [value(found[1]), value(found[2])]
        assert told == pytest.approx([lengths[most], ways[most]], rel=5e-3)


@pytest.mark.parametrize("view", ["isomap", "locally linear", "eigenmaps"])
def test_classes_that_only_give_the_colours_are_not_named(session: Session, view: str) -> None:
    session.open(LAB, view=view)
    assert session.stage["legend"] is None and session.scene_shown
    figure = session.scene_shown.views[0].draw(0)
    written = [text for each in figure["data"] for text in each.get("text") or ()]
    assert "colours: as on the map" in written
