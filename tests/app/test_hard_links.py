"""Links to data with nothing to go by, and links in which something has been changed."""

import random
from collections.abc import Iterator

import pytest

from pages._shared.data import link
from pages._shared.labs import LABS, LabFile
from tests.app import crawl
from tests.app.crawl import DEGENERATE, Crawler, views
from tests.app.session import Session
from tests.house.check_steps import AsInTheApp
from viz.core import plane

CHARACTERS = "0123456789.,;-+eE%&= _abcxyzÄ∞\u202e\x00<>*[](){}'\"\\/"


@pytest.fixture(autouse=True)
def as_in_the_app() -> Iterator[None]:
    with AsInTheApp():
        yield


@pytest.mark.parametrize("seed", range(3))
def test_data_with_nothing_to_go_by(seed: int) -> None:
    chance = random.Random(seed)
    lab = chance.choice(LABS)
    Crawler(lab, chance.choice(sorted(DEGENERATE)), chance.choice(views(lab)))


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_all_data_with_nothing_to_go_by(lab: LabFile) -> None:
    for view in views(lab):
        for kind in DEGENERATE:
            Crawler(lab, kind, view)


def mutated(text: str, chance: random.Random) -> str:
    """Change, leave out or repeat a few characters."""
    for _ in range(chance.randint(1, 4)):
        i = chance.randrange(len(text) + 1)
        change = chance.choice(["", chance.choice(CHARACTERS), text[i : i + 3] * 2])
        text = text[:i] + change + text[i + chance.randint(0, 2) :]
    return text


def visit_mutated(seed: int, visits: int) -> None:
    """Open links of the labs' experiments, with points, in which something has been changed."""
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
