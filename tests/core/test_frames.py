import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.core.frames import MOST_FRAMES, animate, thin

EVENTS = st.lists(st.sampled_from([None, None, None, "mistake", "converged"]), min_size=1)
LONG = st.integers(1, 400).flatmap(
    lambda n: st.lists(st.sampled_from([None, "mistake"]), min_size=n, max_size=n)
)


@given(events=EVENTS | LONG, most=st.integers(2, 90))
def test_thin_keeps_the_ends_and_as_much_as_allowed(events: list, most: int) -> None:
    shown = thin(events, most)
    assert len(shown) == min(len(events), most)
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (0, len(events) - 1)


@given(events=LONG, most=st.integers(2, 90))
def test_thin_keeps_the_events_where_they_fit(events: list, most: int) -> None:
    shown = set(thin(events, most))
    named = {i for i, event in enumerate(events) if event}
    if len(named) <= most - 2:
        assert named <= shown
    else:
        assert len(named & shown) >= most - 2, "events come before steps without one"


@pytest.mark.parametrize("n", [81, 100, 1001, 20_000])
def test_thin_is_even_where_nothing_happens(n: int) -> None:
    shown = thin([None] * n)
    assert len(shown) == MOST_FRAMES
    gaps = [b - a for a, b in pairwise(shown)]
    assert max(gaps) <= -(-n // (MOST_FRAMES - 3))


def test_a_short_run_is_shown_whole() -> None:
    assert thin([None]) == [0]
    assert thin([None] * MOST_FRAMES) == list(range(MOST_FRAMES))


LEAF = st.one_of(
    st.integers(-9, 9),
    st.floats(-9, 9),
    st.text(max_size=3),
    st.booleans(),
    st.none(),
    st.lists(st.integers(0, 3), max_size=3),
)
PACKED = st.builds(lambda data: {"dtype": "f4", "bdata": data}, st.text("abc", max_size=3))
SHAPE = st.recursive(
    st.sampled_from(["value", "array"]),
    lambda inner: st.dictionaries(st.sampled_from("pqrs"), inner, max_size=3),
)


def filled(shape: dict | str) -> st.SearchStrategy:
    """Draw a trace or layout of this shape: same attributes, other values."""
    if isinstance(shape, str):
        return {"value": LEAF, "array": PACKED}[shape]
    return st.fixed_dictionaries({name: filled(inner) for name, inner in shape.items()})


TREE = st.dictionaries(st.sampled_from("pqrs"), SHAPE, max_size=3)


@st.composite
def figures(draw: st.DrawFn) -> list[dict]:
    shapes, layout = draw(st.lists(TREE, max_size=3)), draw(TREE)
    figure = st.fixed_dictionaries(
        {"data": st.tuples(*map(filled, shapes)).map(list), "layout": filled(layout)}
    )
    return draw(st.lists(figure, min_size=1, max_size=4))


@settings(max_examples=200, deadline=None)
@given(figures())
def test_frames_give_every_figure_back(drawn: list[dict]) -> None:
    sent = json.loads(json.dumps(animate(drawn)))
    assert len(sent["frames"]) == len(drawn)
    for figure, frame in zip(drawn, sent["frames"], strict=True):
        assert shown(sent, frame) == json.loads(json.dumps(figure))


def test_frames_hold_only_what_changes() -> None:
    still = {"type": "scatter", "x": [1, 2]}
    moving = {"type": "scatter", "x": [1], "marker": {"size": 9, "color": "red"}}
    moved = {"type": "scatter", "x": [1], "marker": {"size": 9, "color": "blue"}}
    layout = {"margin": {"t": 6}}
    first, second = ({"data": [still, m], "layout": layout} for m in (moving, moved))
    assert animate([first, second]) == {
        **first,
        "frames": [
            {"data": [], "traces": []},
            {"data": [{"marker": {"color": "blue"}}], "traces": [1]},
        ],
    }


def test_other_traces_or_attributes_are_refused() -> None:
    one = {"data": [{"x": [1]}], "layout": {}}
    with pytest.raises(ValueError, match="the same traces in the same order"):
        animate([one, {"data": [], "layout": {}}])
    with pytest.raises(ValueError, match=r"different attributes.*'y'"):
        animate([one, {"data": [{"x": [1], "y": [2]}], "layout": {}}])
    with pytest.raises(ValueError, match=r"different attributes.*'xaxis'"):
        animate([one, {"data": [{"x": [1]}], "layout": {"xaxis": {}}}])


def shown(sent: dict, frame: dict) -> dict:
    """Do what stage.js does (`Plot.show`): merge a frame into the first figure."""
    patches = dict(zip(frame["traces"], frame["data"], strict=True))
    data = [merged(trace, patches.get(i, {})) for i, trace in enumerate(sent["data"])]
    return {"data": data, "layout": merged(sent["layout"], frame.get("layout", {}))}


def merged(base: Any, patch: dict) -> dict:
    result = spread(base)
    for name, value in patch.items():
        inner = isinstance(value, dict) and not value.get("bdata")
        old = result.get(name)
        result[name] = merged(old, value) if inner and (old or isinstance(old, dict)) else value
    return result


def spread(value: Any) -> dict:
    """Do what `{...value}` does in JavaScript."""
    if isinstance(value, dict):
        return dict(value)
    items = value if isinstance(value, list | str) else ()
    return {str(i): item for i, item in enumerate(items)}
