import base64
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.presets import DATASETS, MAX_ROWS, Dataset
from pages._shared.data import edits, link
from viz.core import plane


def drawn(n: int, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    X = rng.uniform(-3, 3, (n, 2)) * (1, 50)
    return Dataset("drawn", X, ("x", "größe"), labels, ("a", "b", "c"))


@pytest.mark.parametrize("n", [0, 1, 2, 300, 1000])
def test_what_is_written_is_read_to_a_65000th_of_the_picture(n):
    data = drawn(n)
    bounds = plane.bounds(data.X)
    text = link.encode(data, bounds)
    assert text is not None and len(text) <= link.LONGEST
    read, stretch = link.decode(text)
    assert stretch == pytest.approx(bounds)
    np.testing.assert_array_equal(read.labels, data.labels)
    assert (read.name, read.columns, read.classes) == (data.name, data.columns, data.classes)
    span = np.array([bounds[1] - bounds[0], bounds[3] - bounds[2]])
    assert (np.abs(read.X - data.X) <= 0.51 * span / link.STEPS).all()


def test_reading_and_writing_again_changes_nothing():
    data = drawn(50)
    text = link.encode(data, plane.bounds(data.X))
    assert link.encode(*link.decode(text)) == text


def test_too_many_points_are_not_written():
    assert link.encode(drawn(MAX_ROWS), (-3.0, 3.0, -160.0, 160.0)) is None


def test_an_empty_plane():
    assert len(link.decode(link.encode(edits.empty(), (-3.0, 3.0, -3.0, 3.0)))[0].X) == 0


def test_all_columns_of_a_wide_table_go_along():
    iris = DATASETS["iris"].make(150, noise=0.0, rng=np.random.default_rng(0))
    table = np.column_stack([iris.table, np.full(150, 1e6)])
    iris = replace(iris, table=table, columns=(*iris.columns, "constant"))
    read, stretch = link.decode(link.encode(iris, plane.bounds(iris.X)))
    assert (read.columns, read.x, read.y) == (iris.columns, iris.x, iris.y)
    assert stretch == pytest.approx(plane.bounds(iris.X))
    np.testing.assert_allclose(read.table[:, :4], iris.table[:, :4], atol=1e-3)
    np.testing.assert_allclose(read.table[:, 4], 1e6)
    flat, _ = link.decode(link.encode(link.on_plane(iris), stretch))
    assert flat.columns == (iris.columns[iris.x], iris.columns[iris.y])
    np.testing.assert_allclose(flat.table, iris.X, atol=1e-3)


def test_a_table_that_is_too_wide_is_not_written():
    X = np.random.default_rng(0).normal(size=(200, 40))
    wide = Dataset("wide", X, tuple(f"c{j}" for j in range(40)), np.zeros(200, int), ("1",))
    assert link.encode(wide, plane.bounds(wide.X)) is None
    assert link.encode(link.on_plane(wide), plane.bounds(wide.X)) is not None


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x02\x00\x00\x05\x00",
        b"\x01\x02\x00\x00\x00[]",
        b"\x02\x02\x00\x00\x00[]",
        b"\x02\x0d\x00\x00\x00[1,2,3,4,5,6]",
        b"\x02" + b"\xff" * 200,
        b"\x00" * 10_000_000,
        b"\x02\xff\xff\x00\x00" + b"[" * 65_535,
    ],
)
def test_bytes_that_were_not_written_by_it_are_refused(raw):
    text = base64.urlsafe_b64encode(zlib.compress(raw)).decode()
    with pytest.raises(ValueError, match="cannot be read"):
        link.decode(text)


@given(st.text(max_size=300))
def test_any_other_text_is_refused(text):
    with pytest.raises(ValueError, match="cannot be read"):
        link.decode(text)


@given(st.data())
def test_damaged_text_is_refused_or_a_data_set(data):
    text = list(link.encode(drawn(20), (-3.0, 3.0, -160.0, 160.0)))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.sampled_from("Aa0-_="))
    try:
        read, _ = link.decode("".join(text))
    except ValueError:
        return
    assert np.isfinite(read.X).all()
