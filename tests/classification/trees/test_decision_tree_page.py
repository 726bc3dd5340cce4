"""The page of the lab."""

from collections.abc import Iterator

import numpy as np
import pytest

from pages._shared.labs import LABS
from tests.app.session import Session
from tests.core.figures import places
from tests.house.check_steps import AsInTheApp

(TREE,) = (lab for lab in LABS if lab.name == "decision_tree")


@pytest.fixture
def session() -> Iterator[Session]:
    with AsInTheApp():
        yield Session()


@pytest.mark.parametrize("view", ["Grow", "Prune"])
def test_the_picked_point_is_a_query_where_the_link_says(view: str, session: Session) -> None:
    session.open(TREE, view=view, probe="-1.5,0.25")
    (handles,) = session.stage["handles"]
    assert (handles["name"], handles["look"], handles["view"]) == ("probe", "query", 0)
    assert handles["places"] == [[-1.5, 0.25]]
    assert "The picked point: " in session.captions[-1]


def test_id3_needs_no_points_and_nothing_can_be_dragged(session: Session) -> None:
    session.open(TREE, view="ID3", day="3")
    session.press("Clear")
    sent = session.stage
    assert (sent["error"], sent["handles"], sent["opening"]["total"]) == (None, [], 4)
    assert all("points" not in view["first"] for view in sent["opening"]["views"])
    assert "Day 3: " in session.captions[0]
    session.set("button_group", "view", "Grow")
    assert "There are no points yet" in session.stage["error"]


def test_the_points_that_are_held_out_have_a_dot(session: Session) -> None:
    session.open(TREE, view="Prune", held="40", seed="3")
    lots = np.random.default_rng([3, 1]).random(200) < 0.4
    dots = session.figure()["data"][-1]
    np.testing.assert_allclose(places({"points": dots}), session.points[lots])
    assert f" of {lots.sum()} held-out" in session.captions[0]


def test_a_part_without_points_is_a_sentence(session: Session) -> None:
    session.open(TREE, view="Prune", data="blobs", classes="2", n="2", held="10", seed="0")
    assert session.stage["error"] == "0 of 2 points are held out: both parts need some."


def test_the_rules_can_be_opened_below(session: Session) -> None:
    for view in ("Grow", "Prune", "ID3"):
        session.open(TREE, view=view)
        (rules,) = (part for part in session.app.expander if "as rules" in part.label)
        assert "⇐" in rules.code[0].value
