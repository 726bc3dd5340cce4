"""What the captions say of a map, read beside its r²."""

import re

import pytest

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
