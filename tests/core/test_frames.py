import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viz.core.frames import (
    BETWEEN,
    FIRST,
    SHORT,
    difference,
    first_figures,
    frame,
    key_steps,
)
from viz.core.scene import Scene, View


@given(total=st.integers(1, 60_000), share=st.floats(0, 1))
def test_key_steps_are_few_and_hold_the_ends_and_what_is_looked_at(
    total: int, share: float
) -> None:
    at = round(share * (total - 1))
    steps = key_steps(total, at)
    assert steps == sorted(set(steps))
    assert {0, total - 1, at} <= set(steps) <= set(range(total))
    assert len(steps) == total if total <= SHORT else len(steps) <= SHORT


@given(total=st.integers(SHORT + 1, 60_000))
def test_key_steps_between_are_even(total: int) -> None:
    steps = key_steps(total)
    assert set(range(FIRST)) <= set(steps)
    gaps = [b - a for a, b in pairwise(steps)]
    assert max(gaps) <= -(-total // (BETWEEN + 1)) + 1


def test_a_step_beyond_the_end_is_the_last() -> None:
    assert key_steps(100, 500) == key_steps(100)


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
    first = json.loads(json.dumps(drawn[0]))
    for figure in drawn:
        patch = json.loads(json.dumps(difference(drawn[0], figure)))
        assert shown(first, patch) == json.loads(json.dumps(figure))


def test_frames_hold_only_what_changes() -> None:
    still = {"type": "scatter", "x": [1, 2]}
    moving = {"type": "scatter", "x": [1], "marker": {"size": 9, "color": "red"}}
    moved = {"type": "scatter", "x": [1], "marker": {"size": 9, "color": "blue"}}
    layout = {"margin": {"t": 6}}
    first, second = (
        {"data": [still, m], "layout": layout, "points": {"x": [1, 2], "group": group}}
        for m, group in ((moving, [0, 1]), (moved, [1, 1]))
    )
    assert difference(first, first) == {}
    assert difference(first, second) == {
        "data": {"1": {"marker": {"color": "blue"}}},
        "points": {"group": [1, 1]},
    }


def test_other_traces_or_attributes_are_refused() -> None:
    one = {"data": [{"x": [1]}], "layout": {}}
    with pytest.raises(ValueError, match="the same traces in the same order"):
        difference(one, {"data": [], "layout": {}})
    with pytest.raises(ValueError, match=r"different attributes.*'y'"):
        difference(one, {"data": [{"x": [1], "y": [2]}], "layout": {}})
    with pytest.raises(ValueError, match=r"different attributes.*'xaxis'"):
        difference(one, {"data": [{"x": [1]}], "layout": {"xaxis": {}}})
    with pytest.raises(ValueError, match=r"different attributes.*'points'"):
        difference(one, {"data": [{"x": [1]}], "layout": {}, "points": {}})


def test_a_frame_has_the_caption_and_a_patch_for_every_view() -> None:
    def curve(now: int) -> dict:
        return {"data": [{"x": [1, 2]}, {"x": [now]}], "layout": {}}

    still = View("Still", lambda _: {"data": [{"x": [1]}], "layout": {}})
    scene = Scene([View("Curve", curve), still], lambda now: f"Step {now}.")
    first = first_figures(scene)
    assert frame(scene, first, 0) == {"caption": "Step 0.", "views": [{}, {}]}
    changed = {"caption": "Step 3.", "views": [{"data": {"1": {"x": [3]}}}, {}]}
    assert frame(scene, first, 3) == changed


def shown(first: dict, patch: dict) -> dict:
    """Do what the stage does: merge a frame into the first figure."""
    patches = patch.get("data", {})
    data = [merged(trace, patches.get(str(i), {})) for i, trace in enumerate(first["data"])]
    rest = {name: value for name, value in patch.items() if name != "data"}
    return merged({**first, "data": data}, rest)


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
