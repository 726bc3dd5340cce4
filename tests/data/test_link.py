import base64
import json
import struct
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
def test_what_is_painted_comes_back_to_the_last_bit(n):
    bounds = plane.bounds(drawn(n).X)
    data = link.as_painted(drawn(n), bounds)
    text = link.encode(data, bounds)
    assert text is not None and len(text) <= link.LONGEST
    assert link.is_exact(text, data)
    read, stretch = link.decode(text)
    assert stretch == bounds
    np.testing.assert_array_equal(read.labels, data.labels)
    assert (read.name, read.columns, read.classes) == (data.name, data.columns, data.classes)
    span = np.array([bounds[1] - bounds[0], bounds[3] - bounds[2]])
    assert (np.abs(read.X - drawn(n).X) <= 1e-4 * span).all()


@pytest.mark.parametrize("name", [name for name, p in DATASETS.items() if p.kind == "real"])
def test_real_data_come_back_to_the_last_bit(name):
    preset = DATASETS[name]
    data = preset.make(preset.n, noise=0.0, rng=np.random.default_rng(0))
    text = link.encode(data, plane.bounds(data.X))
    assert text is not None and link.is_exact(text, data)


SCALES = st.floats(-12, 12).map(lambda power: 10.0**power)


@st.composite
def columns(draw, n):
    """Draw a column like those of tables: decimals or all digits, evenly or over many scales."""
    chance, scale = np.random.default_rng(draw(st.integers(0, 999))), draw(SCALES)
    values = chance.uniform(-1, 1, n)
    match draw(st.sampled_from(["even", "decimals", "skewed", "far away", "constant"])):
        case "decimals":
            return np.array([float(f"{v * scale:.4g}") for v in values])
        case "skewed":
            return np.minimum(10 ** (6 * values), 1e12 / scale) * scale
        case "far away":
            return min(scale, 1e6) * (1e5 + values)
        case "constant":
            return np.full(n, values[0] * scale)
    return values * scale


@given(st.data(), st.integers(2, 60), st.integers(2, 5))
def test_data_of_any_scale_come_back_to_the_last_bit(data, n, width):
    table = np.column_stack([data.draw(columns(n)) for _ in range(width)])
    names = tuple(f"c{j}" for j in range(width))
    mine = Dataset("mine", table, names, np.zeros(n, int), ("1",))
    bounds = plane.bounds(mine.X)
    text = link.encode(mine, bounds)
    assert text is not None
    read, stretch = link.decode(text)
    assert np.array_equal(read.table, table)
    assert stretch == bounds
    for axis, (low, high) in enumerate((bounds[:2], bounds[2:])):  # each axis shows its column
        spread = np.ptp(table[:, axis])
        other = np.ptp(table[:, 1 - axis])
        assert (
            spread >= (high - low) / 8
            or spread < 1e-11 * np.abs(table[:, axis]).max()
            or (other < 6 * (high - low))
        )


@given(st.data(), st.integers(600, 1000))
def test_where_there_is_no_room_numbers_are_rounded_as_said(data, n):
    table = np.column_stack([data.draw(columns(n)) for _ in range(2)])
    mine = Dataset("mine", table, ("x", "y"), np.zeros(n, int), ("1",))
    text = link.encode(mine, plane.bounds(mine.X))
    assert text is not None
    above = table - table.min(axis=0)
    slack = above / 4096 + 1e-12 * np.abs(table)
    assert (np.abs(link.decode(text)[0].table - table) <= slack).all()


def of_old(header: list, n: int, shares: bytes) -> str:
    about = json.dumps(header).encode()
    raw = struct.pack("<BHH", link.OF_OLD, len(about), n) + about + shares
    return base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")


SHARES = struct.pack("<6H", 0, 32768, 65535, 65535, 0, 13107) + bytes([0, 1, 0])


def test_links_of_old_are_read():
    data, bounds = link.decode(
        of_old(["old", ["x", "y"], ["a", "b"], 0, 1, [[-3, 3], [0, 50]]], 3, SHARES)
    )
    np.testing.assert_allclose(data.table, [[-3, 50], [0, 0], [3, 10]], atol=1e-4)
    assert data.labels.tolist() == [0, 1, 0]
    assert bounds == (-3, 3, 0, 50)
    text = link.encode(data, bounds)
    assert text is not None and link.is_exact(text, data)


RANGES = [[-3, 3], [-3, 3]]


@pytest.mark.parametrize(
    "header",
    [
        ["n", ["x", "y"], ["a", "b"], 0, 1, [[-3, 10**400], [-3, 3]]],
        ["n", ["x", "y"], ["a", "b"], 0, 1, [[0, 5e-324], [0, 1]]],
        ["\ud800", ["x", "y"], ["a", "b"], 0, 1, RANGES],
        ["n", ["x\u202e", "y"], ["a", "b"], 0, 1, RANGES],
        ["n", ["x", "y"], ["a\n", "b"], 0, 1, RANGES],
        ["n", ["x", "x"], ["a", "b"], 0, 1, RANGES],
        ["n", ["x", "y"], ["a", "a"], 0, 1, RANGES],
        ["n", ["", "y"], ["a", "b"], 0, 1, RANGES],
        ["n", ["x", "y"], ["a", "b"], 0, 0, RANGES],
        ["n", ["x", "y"], ["a", "b"], 9, 1, RANGES],
        ["n", ["x", "y"], ["a", "b"], -1, 1, RANGES],
        ["n", ["x", "y"], ["a", "b"], True, 0, RANGES],
        ["n", ["x", "y"], ["a", "b"], 0.0, 1, RANGES],
        ["n", ["x", "y"], ["a", "b"], "0", 1, RANGES],
        ["n", ["x", "y"], ["a"], 0, 1, RANGES],
        ["n", ["x", "y"], ["a", "b"], 0, 1, {"0": 1}],
        {"n": 1},
        7,
    ],
    ids=lambda header: repr(header)[:60],
)
def test_what_the_app_would_not_write_is_refused(header):
    with pytest.raises(ValueError, match="cannot be read"):
        link.decode(of_old(header, 3, SHARES))


@pytest.mark.parametrize(
    "code",
    [[0, 0, 9], [0, 0, 0], [0, 1e17, 1], [0, float("inf"), 1], [999, 0, 1], [0.5, 0, 1],
     [0, 10**400, 1],
     ["0", 0, 1], [0, 0], None, [-300, 9e15, 7], [None, "x", 8], [True, 0, 1]],
    ids=repr,
)  # fmt: skip
def test_columns_the_app_would_not_write_are_refused(code):
    header = ["n", ["x", "y"], ["a", "b"], 0, 1, [-3, 3, -3, 3], [code, [0, 0, 1]]]
    about = json.dumps(header).encode()
    raw = struct.pack("<BHH", link.VERSION, len(about), 3) + about + bytes(range(9))
    text = base64.urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    with pytest.raises(ValueError, match="cannot be read"):
        link.decode(text)


def test_reading_and_writing_again_changes_nothing():
    for n in (50, 1000):
        text = link.encode(drawn(n), plane.bounds(drawn(n).X))
        data, bounds = link.decode(text)
        again = link.encode(data, bounds)
        assert np.array_equal(link.decode(again)[0].table, data.table)


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
    assert np.array_equal(read.table, iris.table)
    flat, _ = link.decode(link.encode(link.on_plane(iris), stretch))
    assert flat.columns == (iris.columns[iris.x], iris.columns[iris.y])
    assert np.array_equal(flat.table, iris.X)


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
