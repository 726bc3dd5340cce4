import re
import sys

import pytest
import segno
import streamlit as st

from algorithms.data.presets import Dataset
from pages._shared.lab import share
from pages._shared.lab.catalogue import LABS
from pages._shared.lab.share import LONGEST_CODE, shared_link
from pages._shared.session import reach as reaching
from pages._shared.session.qr import qr_code
from pages._shared.session.reach import origin, reach, reachable
from tests.app.session import Session

(K_MEANS,) = [lab for lab in LABS if lab.name == "k_means"]
NETWORK = "192.0.2.7"


@pytest.fixture
def options(monkeypatch: pytest.MonkeyPatch) -> dict[str, str | None]:
    found: dict[str, str | None] = {"server.address": None, "browser.serverAddress": "localhost"}
    monkeypatch.setattr(st, "get_option", found.get)
    monkeypatch.setattr(reaching, "get_internal_ip", lambda: NETWORK)
    return found


@pytest.mark.parametrize(
    ("address", "host", "hidden", "link"),
    [
        ("http://localhost:8501/svm", NETWORK, [], f"http://{NETWORK}:8501/svm"),
        ("https://a.org/x/svm?step=3&C=1", "a.org", [], "https://a.org/x/svm?step=3&C=1"),
        ("http://a/k?present=1&k=5&hide=data#q", "a", [], "http://a/k?k=5"),
        ("http://a/k?k=5", "a", ["data", "tools"], "http://a/k?k=5&hide=data,tools"),
        ("http://[::1]:80/k?m=1,2;3,4", "fe80::1", [], "http://[fe80::1]:80/k?m=1,2;3,4"),
        ("http://a/k?view=100%20seeds&empty=", "a", [], "http://a/k?view=100+seeds&empty="),
    ],
)
def test_the_link_is_the_address_as_others_reach_it(address, host, hidden, link) -> None:
    assert shared_link(address, host, hidden) == link


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.0.1.1", "::1"])
def test_who_opened_this_machine_is_given_its_address_in_the_network(options, host) -> None:
    found, why = reach(host)
    assert found == NETWORK and host in why and NETWORK in why
    options["server.address"] = "0.0.0.0"
    assert reach(host)[0] == NETWORK
    options["server.address"] = "10.1.1.1"
    assert reach(host)[0] == "10.1.1.1"
    options["browser.serverAddress"] = "ml.school.org"
    assert reach(host)[0] == "ml.school.org"


@pytest.mark.parametrize("host", ["192.168.1.5", "chalkline.org", "teacher.local"])
def test_an_address_that_others_reach_stays(options, host) -> None:
    assert reach(host) == (host, "")


def test_links_that_leave_the_page_have_the_address_in_the_network(options) -> None:
    address = "http://localhost:8501/svm?C=1&step=2"
    assert reachable(address) == f"http://{NETWORK}:8501/svm?C=1&step=2"
    assert origin(address) == f"http://{NETWORK}:8501"
    assert reachable("https://a.org/svm?C=1") == "https://a.org/svm?C=1"
    assert origin("https://a.org/svm") == origin("") == ""


def test_where_nobody_else_can_come_it_says_so(options, monkeypatch) -> None:
    options["server.address"] = "localhost"
    assert reach("127.0.0.1") == (
        "127.0.0.1", "The server only answers localhost, so nobody else can open the link.",
    )  # fmt: skip
    options["server.address"] = None
    monkeypatch.setattr(reaching, "get_internal_ip", lambda: "127.0.0.1")
    assert "in no network" in reach("localhost")[1]
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert "runs in the browser" in reach("localhost")[1]


def test_the_longest_code_has_97_modules_a_side() -> None:
    assert segno.make_qr("a" * LONGEST_CODE, error="l").symbol_size(border=0) == (97, 97)
    assert segno.make_qr("a" * (LONGEST_CODE + 1), error="l").symbol_size(border=0)[0] > 97


def test_the_code_is_one_drawing_with_its_margin() -> None:
    svg = qr_code("http://a.org/k_means?step=3", "QR code of the link")
    assert svg.startswith("<svg") and svg.count("<svg") == 1
    assert "<title>QR code of the link</title>" in svg
    side = segno.make_qr("http://a.org/k_means?step=3", error="l").symbol_size(border=4)[0]
    assert f'viewBox="0 0 {side} {side}"' in svg
    assert not re.search(r"https?://(?!www\.w3\.org)|script", svg)


def shown(session: Session, address: str) -> dict:
    """Return what the Share button would show for an address."""
    found: list[dict] = []

    def page(found: list, address: str) -> None:
        from pages._shared.lab import share

        found.append(share.about(address, []))

    app = session.app.from_function(page, kwargs={"found": found, "address": address})
    app.session_state["chalkline"] = session.state
    app.run()
    assert not app.exception
    return found[0]


def test_it_says_when_the_points_make_the_link_too_long() -> None:
    session = Session().open(K_MEANS)
    address = "http://a.org/k_means?step=3"
    about = shown(session, address)
    assert about["link"] == address and about["svg"] and about["notes"] == []
    board = session.board
    data: Dataset = board.data
    board.load(data)
    session.run()
    long = f"{address}&points={session.value('points')}"
    assert len(long) > LONGEST_CODE
    about = shown(session, long)
    assert about["link"] == long and not about["svg"]
    assert about["notes"][-1].startswith(f"The link has {len(long)} characters. A code")


def test_what_no_browser_says_is_no_link() -> None:
    session = Session()
    session.run()
    assert shown(session, "http://[::1:x/") == share.NOTHING
