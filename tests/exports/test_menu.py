"""The menu: what it sends to the browser, and when."""

import gzip
import json
from base64 import b64decode
from typing import Any

import pytest

from pages._shared.exports.menu import GLYPHS, Shown, film_worker, script, written
from pages._shared.exports.provenance import About
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.exports import write_glyphs
from tests.stage.test_stage_logic import run_node
from viz.core.scene import Run, Scene

FAILED = Shown(
    "", Run("", (), "There are no points yet."), Scene([], str), [], About("", "", "", "")
)


def menu(session: Session) -> dict[str, Any] | None:
    """Return what the menu was sent, if it is open."""
    sent = [json.loads(each.proto.json or "{}") for each in session.app.get("bidi_component")]
    return next((each for each in sent if "notes" in each), None)


def asking(what: Any = "script", **other: Any) -> dict[str, Any]:
    return {"what": what, "number": 7, "link": "http://localhost/k_means"} | other


def test_a_closed_menu_costs_nothing_and_an_open_one_writes_nothing_unasked() -> None:
    session = Session().open(next(lab for lab in LABS if lab.name == "k_means"))
    assert menu(session) is None
    session.app.session_state["export"] = True
    session.run()
    sent = menu(session)
    assert sent and sent["file"] is None and sent["failed"] is None
    assert sent["name"] == "chalkline-k_means-k-means"
    assert len(json.dumps(sent)) < 1000


@pytest.mark.parametrize(
    "asked",
    [None, 5, {}, asking("password"), asking(["script"]), asking(number="x"), asking(number=1e999)],
    ids=str,
)
def test_what_our_own_page_would_not_ask_is_not_answered(asked: Any) -> None:
    assert written(FAILED, asked) is None


@pytest.mark.parametrize("what", ["script", "notebook"])
def test_where_nothing_has_run_the_answer_is_a_sentence(what: str) -> None:
    answer = written(FAILED, asking(what))
    assert answer == {"number": 7, "error": "This file cannot be written. There are no points yet."}


def test_a_file_is_packed_for_its_way() -> None:
    run = Run("a", [type("Step", (), {"event": None})()] * 3)
    shown = Shown("a", run, Scene([], lambda i: f"step {i}"), [], About("t", "l", "lab, a b", ""))
    answer = written(shown, asking("steps"))
    assert answer and answer["name"] == "chalkline-lab-a-b-steps.csv"
    text = gzip.decompress(b64decode(answer["packed"])).decode()
    assert text.splitlines() == ["step,event,caption", "0,,step 0", "1,,step 1", "2,,step 2"]


@pytest.mark.parametrize("made", [script, film_worker], ids=["menu", "GIF's writer"])
def test_its_scripts_are_one_module(made: Any) -> None:
    done = run_node("--check", "--input-type=module", "-", text=made())
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_outlines_are_those_of_the_page_s_typeface() -> None:
    assert GLYPHS.read_text(encoding="utf-8") == write_glyphs.text()
