"""The buttons beside the point that is asked."""

import numpy as np

from pages._shared.lab.catalogue import LABS
from tests.app.session import Session

(LAB,) = (lab for lab in LABS if lab.name == "active_learning")


def test_every_class_stands_beside_the_point_that_is_asked(session: Session) -> None:
    session.open(LAB, view="you label", data="blobs", classes="3", label1="2", label2="1")
    assert session.run_shown
    query = session.points[session.run_shown.steps[-1].query]
    sent = session.stage["choices"]
    assert [each["text"] for each in sent] == ["class 1", "class 2", "class 3"]
    assert [each["value"] for each in sent] == ["1", "2", "3"]
    assert {(each["name"], each["at"], each["view"]) for each in sent} == {("label3", 2, 0)}
    left, right, bottom, top = session.board.bounds
    places = np.array([each["place"] for each in sent])
    assert len(set(places[:, 0])) == 1 and abs(places[0, 0] - query[0]) < 0.2 * (right - left)
    assert (np.diff(places[:, 1]) < 0).all()
    assert (places >= [left, bottom]).all() and (places <= [right, top]).all()


def test_after_the_last_answer_there_is_no_button(session: Session) -> None:
    answers = {f"label{t}": "1" for t in range(1, 13)}
    session.open(LAB, view="you label", **answers)
    assert session.stage["choices"] == []
    session.open(LAB)
    assert session.stage["choices"] == []
