import re

import pytest

from pages._shared.lab import hiding
from pages._shared.lab.catalogue import LABS
from pages._shared.stage.scripts import source
from tests.app.session import Session

(K_MEANS,) = [lab for lab in LABS if lab.name == "k_means"]


def styles(session: Session) -> str:
    return "\n".join(node.proto.body for node in session.app.get("html"))


def test_a_link_hides_parts_and_keeps_the_words() -> None:
    session = Session().open(K_MEANS, k="5", hide="parameters,caption")
    found = styles(session)
    for part, selectors in hiding.PARTS.items():
        hidden = f":is({selectors}):not(:focus-within)" in found
        assert hidden == (part in ("parameters", "caption"))
    assert ".on-paper { display: block;" in found
    assert "Clusters k: 5" in found
    assert "Hidden parts" not in found
    assert session.app.slider(key="k_means.k").value == 5, "hidden is not taken away"
    assert session.app.query_params == {"k": "5", "hide": "parameters,caption"}
    assert session.state.refused == []


def test_nothing_is_hidden_unless_a_link_says_so() -> None:
    assert hiding.UNSEEN not in styles(Session().open(K_MEANS))


def test_an_unknown_part_is_refused_with_a_sentence() -> None:
    session = Session().open(K_MEANS, hide="caption,captions")
    assert session.state.refused == [
        "Hidden parts: “captions” is not one of data, parameters, caption, tools, classes, player, "
        "lesson"
    ]
    assert hiding.UNSEEN not in styles(session)
    assert session.app.query_params == {}


@pytest.mark.parametrize("part", ["caption", "tools", "player"])
def test_parts_of_the_stage_are_there(part: str) -> None:
    (name,) = re.findall(r"^\.stage \.(\w+)$", hiding.PARTS[part])
    assert f'class="{name}"' in source("stage.html")
