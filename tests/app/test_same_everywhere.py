"""A link shows the same to everybody: whatever the session did before, and on any process."""

import json
import random
import re
from typing import Any

import pytest

from pages._shared.lab.catalogue import LABS, LabFile
from pages._shared.session import cache
from tests.app import crawl
from tests.app.session import Session

pytestmark = pytest.mark.usefixtures("as_in_the_app")

# What the stage is told of the session itself, and not of what the link shows.
OF_THE_SESSION = {"session", "links", "heard", "put", "reason", "paint"}
MEASURED = re.compile(r"[\d.,]+ (ms|s)\b")  # how long a fit took
SAMPLE = random.Random(0).sample(LABS, 2)


def shown(session: Session) -> dict[str, Any]:
    """Return everything that a session is shown."""
    sent = json.loads(session.sent("stage"))
    captions = [caption.value for caption in session.app.caption]
    paint = sent["paint"] and {name: sent["paint"][name] for name in ("labels", "classes")}
    texts = {"captions": captions, "address": dict(session.app.query_params)}
    return {k: v for k, v in sent.items() if k not in OF_THE_SESSION} | {"paint": paint} | texts


def link_into_the_middle(lab: LabFile) -> dict[str, str]:
    """Return a link that sets a few parameters of a lab."""
    data = {"n": "37", "noise": "0.3"} if lab.board else {}
    session = Session().open(lab, **data)
    for kind in ("slider", "select_slider"):
        for widget in list(getattr(session.app, kind))[:3]:
            if widget.key.startswith(f"{lab.name}."):
                session.set(kind, widget.key.partition(".")[2], crawl.values(kind, widget)[0])
    return dict(session.app.query_params)


def be_busy(session: Session, lab: LabFile) -> None:
    """Leave things behind in a session: own data, moved sliders, an undo history."""
    session.open(lab)
    if lab.board:
        session.paste(crawl.wide())
    for kind in ("slider", "select_slider"):
        for widget in list(getattr(session.app, kind))[:3]:
            if widget.key.startswith(f"{lab.name}."):
                session.set(kind, widget.key.partition(".")[2], crawl.values(kind, widget)[-1])


def compare(labs: list[LabFile]) -> None:
    """Open links in a fresh session and in one that has visited all labs, with an empty cache."""
    busy = Session()
    for lab in labs:
        be_busy(busy, lab)
    for lab in labs:
        address = link_into_the_middle(lab)
        seen = []
        for session in (Session(), busy):
            cache.store.clear()
            seen.append(shown(session.open(lab, **address)))
        fresh, used = (MEASURED.sub("-", json.dumps(one, sort_keys=True)) for one in seen)
        assert fresh == used, f"{lab.name}: {address}"


def test_a_link_shows_what_it_shows_in_a_fresh_session() -> None:
    compare(SAMPLE)


@pytest.mark.long
def test_every_link_shows_what_it_shows_in_a_fresh_session() -> None:
    compare(list(LABS))


def test_a_link_with_the_address_of_another_lab_is_a_link() -> None:
    """Labs once overwrote each other's parameters of the same name."""
    first, second = (next(lab for lab in LABS if lab.name == n) for n in ("k_means", "dbscan"))
    session = Session().open(second, n="30")
    session.open(first, n="60")
    session.open(second, n="60")
    assert session.value("n") == 60
    assert len(session.points) == 60
