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
    [{"neighbors": "6"}, {"neighbors": "13"}, {"neighbors": "2"}, {"data": "blobs"}],
    ids=["whole", "torn", "pieces", "blobs"],
)
def test_a_map_is_said_to_keep_the_ways_only_if_it_does(session: Session, link: dict) -> None:
    said = session.open(LAB, **link).captions[-1]
    found = re.search(r"r² = ([\d.]+)", said)
    assert found
    assert ("the map keeps the ways" in said) == (value(found[1]) >= KEEPS)
    assert "through the air" in said
