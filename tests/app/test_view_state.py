"""The part of a link that is not a parameter: the step, the zoom, presenter mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.lab.catalogue import LABS
from pages._shared.session.view_state import NAMES, Look, look_texts, read_look
from tests.app.session import Session
from tests.app.test_parameters import opened, session
from viz.core import frames

END = 5000
MILLIONTHS = st.integers(0, 1_000_000)


def pairs(draw) -> tuple[float, float]:
    low, high = sorted(draw(st.lists(MILLIONTHS, min_size=2, max_size=2, unique=True)))
    return low / 1e6, high / 1e6


@st.composite
def looks(draw) -> Look:
    zoom = (*pairs(draw), *pairs(draw)) if draw(st.booleans()) else None
    layers = draw(st.lists(st.from_regex(r"[a-z ]{1,15}", fullmatch=True), max_size=9))
    return Look(draw(st.integers(0, END)), zoom, draw(st.booleans()), tuple(layers))


@given(looks())
def test_what_is_written_is_read(look: Look) -> None:
    assert read_look(look_texts(look), END) == (look, [])


@given(st.dictionaries(st.sampled_from(NAMES), st.text() | st.from_regex(r"[-0-9.,en]*")))
def test_any_texts_are_a_look_or_sentences(texts: dict[str, str]) -> None:
    look, refused = read_look(texts, END)
    assert len(look_texts(look)) + len(refused) <= len(texts)
    assert read_look(look_texts(look), END) == (look, [])
    assert all(" not " in sentence and len(sentence) < 120 for sentence in refused)


def test_what_is_refused_has_its_default_and_the_rest_counts() -> None:
    texts = {"step": "9", "zoom": "0.5,0.1,0,1", "present": "yes", "layers": "a,,b"}
    assert read_look(texts, 8) == (
        Look(),
        [
            "Step: 9 is not between 0 and 8",
            "Zoom: 0.5,0.1,0,1 is not a part of the picture",
            "Presenter mode: “yes” is not 1",
            "Layers: “a,,b” does not name layers",
        ],
    )
    assert read_look(texts, 9)[0] == Look(step=9)
    for zoom in ("0,1,0", "0,1,0,nan", "-1,1,0,1", "0,1,0,1.5", "a,b,c,d"):
        assert read_look({"zoom": zoom}, 0)[0].zoom is None


def test_a_long_answer_holds_no_more_frames_than_are_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (lab,) = [lab for lab in LABS if lab.name == "k_means"]
    monkeypatch.setattr(frames, "MOST", 0)
    shown = Session().open(lab, k="5", seed="7007", step="3").opening
    assert set(shown["frames"]) == {"0", "3", str(shown["total"] - 1)}


def test_a_link_gives_its_look_apart_from_its_parameters() -> None:
    app = opened(k="5", step="3", zoom="0,1,0,1")
    here = session(app)
    assert here.link == {"k": "5"}
    assert here.looks == {"step": "3", "zoom": "0,1,0,1"}
    assert here.address == {"k": "5"}
    assert here.refused == []


def test_what_the_browser_writes_while_a_lab_is_shown_is_no_link() -> None:
    app = opened(k="5")
    for step in ("1", "2"):
        app.query_params = {"k": "5", "step": step}
        app.run()
        assert session(app).links == 1
        assert app.query_params == {"k": "5", "step": step}, "nothing is written over it"
    app.slider(key="first.k").set_value(6).run()
    assert app.query_params == {"k": "6"}
    assert session(app).links == 1


def test_a_step_alone_is_a_link_for_who_comes_from_elsewhere() -> None:
    app = opened(step="4")
    assert session(app).link == {}
    assert session(app).looks == {"step": "4"}
    assert session(app).links == 1
    app.session_state.which, app.query_params = "second", {}
    app.run()
    assert not session(app).followed
    app.session_state.which, app.query_params = "first", {"step": "2"}
    app.run()
    assert session(app).looks == {"step": "2"}
    assert session(app).links == 2
