"""Links to data without structure, to odd names, and damaged links."""

import random
from dataclasses import replace

import pytest

from pages._shared.data import link
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app import crawl
from tests.app.crawl import DEGENERATE, Crawler, views
from tests.app.session import Session
from tests.house.every_lab import BOARDS, EVERY_BOARD
from viz.core import plane

pytestmark = pytest.mark.usefixtures("as_in_the_app")

CHARACTERS = "0123456789.,;-+eE%&= _abcxyzÄ∞\u202e\x00<>*[](){}'\"\\/"

ODD_NAMES = [
    "![p](http://127.0.0.1:9/x.png)", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))", "http://example.org/x", "www.example.org", "a@b.de", "=1+1", "+1",
    "-1", "@x", "'; DROP TABLE x", "$x^2$", "$$\\frac{1}{0}$$", "**b**", "*i*", "`c`", "~~s~~",
    ":red[x]", ":material/star:", ":smile:", "# h", "> q", "- l", "1. l", "| a | b |", "\\", "{",
    "}", "{x}", "{{x}}", "%s %d", "%(x)s", "&amp;", "&lt;b&gt;", "%{x}", "%{customdata[0]}", "${x}",
    "<b>b</b>", "<br>", "<extra></extra>", "Ä ö ü ß", "日本語", "مرحبا", "עברית", "👍🏽", "e\u0301",
    "a" * 60, "x y", "class", "target", "null", "undefined", "0", "1", "true", "__class__", "#{x}",
    "a,b", "a;b", 'a"b', "a'b", "constructor", "__proto__", "toString",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_data_with_nothing_to_go_by(seed: int) -> None:
    chance = random.Random(seed)
    lab = chance.choice(BOARDS)
    Crawler(lab, chance.choice(sorted(DEGENERATE)), chance.choice(views(lab)))


@pytest.mark.long
@EVERY_BOARD
def test_all_data_with_nothing_to_go_by(lab: LabFile) -> None:
    for view in views(lab):
        for kind in DEGENERATE:
            Crawler(lab, kind, view)


def visit_odd_names(lab: LabFile, view: str | None, names: list[str]) -> None:
    """Open the same numbers under one name after the other, two visitors in turn."""
    visitors, address = (Session(), Session()), {"view": view} if view else {}
    for number, name in enumerate(names):
        classes = (name, f"of visit {number:03}")
        points = replace(crawl.drawn(), name=name, columns=(name, "height"), classes=classes)
        text = link.encode(points, plane.bounds(points.X))
        assert text
        session = visitors[number % 2].open(lab, points=text, **address)
        where = f"{lab.name}, {view}: {name}"
        assert session.stage["opening"]["total"] >= 1 and session.state.refused == [], where
        sent = session.sent("stage")
        offered = session.stage["paint"]["classes"] is not None  # by the lab, or by this mode
        assert offered or not lab.section.labelled, where
        assert (classes[1] in sent) == offered, where
        assert f"of visit {number - 1:03}" not in sent, f"{where}: what another visitor sees"


def test_odd_names() -> None:
    chance = random.Random(0)
    lab = chance.choice(BOARDS)
    visit_odd_names(lab, chance.choice(views(lab)), chance.sample(ODD_NAMES, 4))


@pytest.mark.long
@EVERY_BOARD
def test_all_odd_names(lab: LabFile) -> None:
    for view in views(lab):
        visit_odd_names(lab, view, ODD_NAMES)


def mutated(text: str, chance: random.Random) -> str:
    """Change, drop or repeat a few characters."""
    for _ in range(chance.randint(1, 4)):
        i = chance.randrange(len(text) + 1)
        change = chance.choice(["", chance.choice(CHARACTERS), text[i : i + 3] * 2])
        text = text[:i] + change + text[i + chance.randint(0, 2) :]
    return text


def visit_mutated(seed: int, visits: int) -> None:
    """Open links of the labs' experiments, with points, after damaging them."""
    chance, session = random.Random(seed), Session()
    points = crawl.drawn()
    text = link.encode(points, plane.bounds(points.X))
    assert text
    for _ in range(visits):
        lab = chance.choice(LABS)
        address = dict(chance.choice(lab.experiments).link) | {"points": text}
        for name in chance.sample(sorted(address), min(2, len(address))):
            address[name] = mutated(address[name], chance)
        if chance.random() < 0.2:
            address[mutated(chance.choice(sorted(address)), chance)] = "1"
        try:
            assert session.open(lab, **address).stage["opening"]["total"] >= 1
        except AssertionError as error:
            raise AssertionError(f"{lab.name}: {address}") from error


def test_links_that_have_been_changed() -> None:
    visit_mutated(0, 8)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 3))
def test_many_links_that_have_been_changed(seed: int) -> None:
    visit_mutated(seed, 100)
