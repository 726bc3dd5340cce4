"""The parts that graphs are made of."""

from dataclasses import replace

import numpy as np
import pytest

from tests.core.figures import accepted_by_plotly, places, unpacked
from viz.core.graph import (
    LEAST,
    WIDEST,
    Graph,
    Look,
    note,
    outlines,
    strokes,
    texts,
    widths,
    without_axes,
)

PLACES = np.array([[0.0, 0], [1, 0], [1, 1]])
NAMES = ["root", "left", "right"]
GRAPH = Graph(PLACES, np.arange(3), np.array([[0, 1], [0, 2]]), (-1.0, 2.0, -1.0, 2.0), NAMES)
PLAIN = {"size": np.ones(3), "width": np.ones(2), "texts": ["a", "b", "c"]}
NAN = [np.nan, np.nan]


def path(trace: dict) -> np.ndarray:
    return np.column_stack([unpacked(trace["x"]), unpacked(trace["y"])])


def test_a_link_is_as_wide_as_what_it_carries() -> None:
    found = widths(np.array([0.0, 0.9 * LEAST, 0.25, 0.5, 1.0]))
    np.testing.assert_allclose(found, WIDEST * np.array([0.0, 0.0, 0.25, 0.5, 1.0]), rtol=1e-12)
    assert not widths(np.zeros(4)).any() and len(widths(np.empty(0))) == 0


def test_lines_are_one_trace_with_gaps() -> None:
    found = path(strokes(PLACES[None, :2].repeat(2, axis=0)))
    np.testing.assert_array_equal(found, [[0, 0], [1, 0], NAN] * 2)
    assert np.isnan(path(strokes(np.empty((0, 4, 2))))).all()


def test_a_shape_stands_around_each_place() -> None:
    shape = np.array([[-0.5, 0], NAN, [0.5, 0]])
    found = path(outlines(shape, PLACES[1:]))
    np.testing.assert_array_equal(
        found, [[0.5, 0], NAN, [1.5, 0], NAN, [0.5, 1], NAN, [1.5, 1], NAN]
    )


def test_a_step_has_its_nodes_links_path_rings_and_words() -> None:
    fixed = note(0, 1, "fixed")
    graph = Graph(PLACES, np.arange(3), GRAPH.links, GRAPH.box, NAMES, [fixed])
    look = Look(**PLAIN, path=[0, 2], ringed=[1], notes=[note(1, 1, "step", anchor="left")])
    figure = graph.draw(look)
    np.testing.assert_allclose(places(figure), PLACES)
    ends = unpacked(figure["edges"]["places"]).reshape(2, 4)
    np.testing.assert_allclose(ends, [[0, 0, 1, 0], [0, 0, 1, 1]])
    way, rings, words = figure["data"]
    np.testing.assert_allclose(path(way), PLACES[[0, 2]])
    np.testing.assert_allclose(path(rings), PLACES[[1]])
    assert words["text"] == PLAIN["texts"]
    assert [each["text"] for each in figure["layout"]["annotations"]] == ["fixed", "step"]
    accepted_by_plotly({name: figure[name] for name in ("data", "layout")})


def test_all_steps_have_the_same_traces() -> None:
    look = Look(**PLAIN, path=[0, 2], ringed=[1])
    one, other = GRAPH.draw(look), GRAPH.draw(Look(**PLAIN))
    assert [trace.keys() for trace in one["data"]] == [trace.keys() for trace in other["data"]]
    assert all(np.isnan(path(trace)).all() for trace in other["data"][:2])


def test_a_path_of_one_node_is_no_line() -> None:
    assert np.isnan(path(GRAPH.draw(Look(**PLAIN, path=[1]))["data"][0])).all()


def test_axes_are_not_seen() -> None:
    layout = without_axes((0.0, 4.0, 3.0, 1.0), alike=True, room={"t": 3})
    assert not layout["xaxis"]["visible"] and not layout["yaxis"]["visible"]
    assert layout["xaxis"]["range"] == [0, 4] and layout["yaxis"]["range"] == [3, 1]
    assert layout["yaxis"]["scaleanchor"] == "x" and layout["margin"] == {"t": 3}


def test_texts_may_stand_beside_their_places() -> None:
    written = texts(PLACES, ["a", "b", "c"], textposition="middle right", mode="markers+text")
    assert (written["mode"], written["textposition"]) == ("markers+text", "middle right")


def test_links_end_at_the_rims_of_their_nodes() -> None:
    rim = np.array([0.1, 0.2])
    figure = replace(GRAPH, rim=(0.1, 0.2)).draw(Look(np.ones(3), np.ones(2), NAMES))
    ends = unpacked(figure["edges"]["places"]).reshape(-1, 2, 2)
    for (start, end), (i, j) in zip(ends, GRAPH.links.tolist(), strict=True):
        for place, node in ((start, i), (end, j)):
            assert np.hypot(*((place - PLACES[node]) / rim)) == pytest.approx(1, rel=1e-5)
