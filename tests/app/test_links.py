"""Links, also damaged and hostile ones: each entry is used or refused with a sentence."""

import random
import string
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from streamlit.runtime.state import QueryParamsProxy

from pages._shared.data import link
from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.session import view_state
from pages._shared.session.parameters import Parameters
from pages._shared.session.values import Parse
from tests.app.crawl import drawn
from tests.app.session import Session
from viz.core import plane

MUTATED = 10_000
OPENED = 4  # of them in a page
LONGEST = 700  # characters of a sentence: some menus that it lists are long
ONE_LAB = "k_means"  # the others are in the long walk
EVERY_LAB = pytest.mark.parametrize(
    "lab",
    [lab if lab.name == ONE_LAB else pytest.param(lab, marks=pytest.mark.long) for lab in LABS],
    ids=lambda lab: lab.name,
)
HOSTILE = [
    "", " ", "nan", "inf", "-inf", "1e999", "-0", "9" * 400, "٣", "½", "1_000", "0x10", "None",
    "True", "null", "[]", "{}", "\0", "\ud7ff", "\u202e", "<script>", "'; DROP TABLE", "../../etc",
    "%", "%00", "&", "=", ";", ",", "1,2;3,4", ",,;;", "1," * 500, "__class__", "A" * 3000,
]  # fmt: skip


@pytest.fixture
def parsers(monkeypatch: pytest.MonkeyPatch) -> dict[str, Parse]:
    """Collect the functions that read the labs' links, by parameter, as pages are opened."""
    found: dict[str, Parse] = {}
    declare = Parameters.declare

    def noted(self: Parameters, name: str, label: str, default: Any, parse: Parse, **how: Any):
        found[self.prefix + name] = parse
        return declare(self, name, label, default, parse, **how)

    monkeypatch.setattr(Parameters, "declare", noted)
    return found


def queries(lab: LabFile, parsers: dict[str, Parse]) -> list[str]:
    """Return the queries of true links: of experiments, of drawn points, of steps and zooms."""
    points = drawn()
    text = link.encode(points, plane.bounds(points.X))
    assert text
    everything = {name: "1" for name in parsers} | {"points": text, "hide": "data,caption"}
    looks = {"step": "7", "zoom": "0.25,0.5,0.125,1", "present": "1"}
    links = [each.link for each in lab.experiments]
    return [urlencode(each | looks) for each in (*links, everything)]


def mutations(queries: list[str], chance: random.Random) -> Iterator[str]:
    """Damage queries: change letters; drop, double or move parts; insert hostile values."""
    for _ in range(MUTATED):
        query = chance.choice(queries)
        for _ in range(chance.choice((1, 1, 2, 5))):
            i, j = sorted(chance.randrange(len(query) + 1) for _ in range(2))
            names = [name for name, _ in parse_qsl(query)] or ["step"]
            match chance.randrange(6):
                case 0:
                    query = query[:i] + chance.choice(string.printable) + query[i + 1 :]
                case 1:
                    query = query[:i] + query[j:]
                case 2:
                    query = query[:j] + query[i:j] + query[j:]
                case 3:
                    query = f"{query}&{chance.choice(names)}={chance.choice(HOSTILE)}"
                case 4:
                    said = dict(parse_qsl(query, keep_blank_values=True))
                    said[chance.choice(names)] = chance.choice(HOSTILE)
                    query = urlencode(said)
                case _:
                    query = query[:i] + chance.choice(queries)[i:]
        yield query


@EVERY_LAB
def test_mutated_links_raise_nothing_but_their_own_sentence(
    lab: LabFile, parsers: dict[str, Parse]
) -> None:
    Session().open(lab)
    assert len(parsers) >= 6
    read = refused = 0
    for query in mutations(queries(lab, parsers), random.Random(15)):
        said = dict(parse_qsl(query, keep_blank_values=True))
        _, sentences = view_state.read_look(said, 20)
        for name, text in view_state.parameters_of(said).items():
            parse = link.decode if name == "points" else parsers.get(name)
            try:
                if parse:
                    parse(text)
                    read += 1
            except ValueError as error:
                sentences.append(str(error))
        refused += len(sentences)
        assert all(0 < len(sentence) < LONGEST for sentence in sentences), sentences
    assert min(read, refused) > MUTATED / 4, "both must happen often"


@EVERY_LAB
def test_a_page_opened_by_damaged_links_stands(lab: LabFile, parsers: dict[str, Parse]) -> None:
    Session().open(lab)
    found = list(mutations(queries(lab, parsers), random.Random(lab.name)))[:OPENED]
    for query in found:
        session = Session().open(lab, **dict(parse_qsl(query)))
        state = session.state
        assert session.stage["opening"]["total"] > state.look.step >= 0
        assert session.stage["look"]["at"] == state.look.step
        assert all(0 < len(sentence) < LONGEST for sentence in state.refused)
        assert len(session.app.warning) == len(state.refused)
        # What it has made of the link is a link that it reads without a word.
        address = dict(session.app.query_params)
        again = Session().open(lab, **address)
        assert again.state.refused == []
        assert again.values == session.values
        assert again.state.look == state.look


def test_what_a_lab_does_not_know_is_named() -> None:
    (lab,) = [lab for lab in LABS if lab.name == ONE_LAB]
    session = Session().open(lab, k="3", C="1", **{f"foreign{i}": "1" for i in range(5)})
    (sentence,) = session.state.refused
    assert sentence.endswith("does not have: “C”, “foreign0”, “foreign1” and 3 more")
    assert session.app.query_params == {"k": "3"}


def test_a_link_opens_at_its_step_and_the_step_is_sent_at_once() -> None:
    (lab,) = [lab for lab in LABS if lab.name == ONE_LAB]
    session = Session().open(lab, k="5", step="9", zoom="0.2,0.7,0.1,0.6")
    assert session.stage["look"] == {
        "at": 9,
        "zoom": [0.2, 0.7, 0.1, 0.6],
        "present": False,
        "layers": [],
    }
    assert "9" in session.opening["frames"]
    assert session.app.query_params == {"k": "5", "step": "9", "zoom": "0.2,0.7,0.1,0.6"}
    session.open(lab, k="6", step="5000")
    last = session.opening["total"] - 1
    assert session.state.refused == [f"Step: 5000 is not between 0 and {last}"]
    assert session.stage["look"]["at"] == 0


def test_the_same_lab_at_another_step_is_a_link_from_the_gallery_only() -> None:
    (lab,) = [lab for lab in LABS if lab.name == ONE_LAB]
    session = Session().open(lab, k="5", step="3")
    links = session.state.links
    session.open(lab, k="5", step="4")
    assert session.state.links == links, "the browser has written it"
    session.app.switch_page("pages/gallery.py")
    session.app.query_params = {}
    session.run()
    assert session.app.query_params == {}
    session.open(lab, k="5", step="4")
    assert session.state.links == links + 1
    assert session.stage["look"]["at"] == 4


def test_going_back_to_an_address_without_parameters_gives_the_defaults() -> None:
    (lab,) = [lab for lab in LABS if lab.name == ONE_LAB]
    session = Session().open(lab)
    usual = session.value("k")
    session.set("slider", "k", 7)
    assert session.app.query_params == {"k": "7"}
    session.app.query_params = {}
    session.run()
    assert (session.value("k"), session.app.query_params) == (usual, {})


def test_only_a_drag_is_followed_by_no_notice() -> None:
    (lab,) = [lab for lab in LABS if lab.name == ONE_LAB]
    session = Session().open(lab)
    session.set("slider", "k", 5)
    assert session.stage["reason"] == "Clusters k 4 → 5"
    session.state.kept[lab.name]["query"] = "0.25,0.5"
    session.run()
    assert session.value("query") == "0.25,0.5" and session.stage["reason"] == ""


def test_a_change_taken_back_at_once_is_taken_out_of_the_address(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser, which has not got the address with the change yet, still says the one before."""
    session.open(next(lab for lab in LABS if lab.name == ONE_LAB))
    default = session.value("k")
    session.set("slider", "k", 5)
    assert session.app.query_params == {"k": "5"}
    written: list[dict[str, str]] = []
    monkeypatch.setattr(QueryParamsProxy, "from_dict", lambda _, address: written.append(address))
    session.app.query_params = {}
    session.set("slider", "k", default)
    assert written == [{}]
    session.run()
    assert written == [{}], "once is enough"
