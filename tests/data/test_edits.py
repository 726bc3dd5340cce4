import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.data.presets import DATASETS, MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data import edits
from pages._shared.data.edits import empty

PICTURE = (-1.0, 8.0, -1.0, 8.0)


def edit(data: Dataset, request: dict) -> Dataset:
    return edits.edit(data, request, PICTURE)


def points(n: int = 4) -> Dataset:
    table = np.arange(2.0 * n).reshape(n, 2)
    return Dataset("mine", table, ("x", "y"), np.arange(n) % 2, ("a", "b"))


def iris() -> Dataset:
    return DATASETS["iris"].make(150, noise=0.0, rng=np.random.default_rng(0))


def test_nothing_to_start_with() -> None:
    data = empty()
    assert data.X.shape == (0, 2)
    assert (data.classes, data.labels.tolist()) == (("1",), [])


def test_add() -> None:
    after = edit(points(), {"op": "add", "points": [[0.5, -1], [9, 9]], "label": 1})
    assert after.table[4:].tolist() == [[0.5, -1], [9, 9]]
    assert after.labels.tolist() == [0, 1, 0, 1, 1, 1]
    assert after.classes == ("a", "b")


def test_a_new_class_names_those_before_it_too() -> None:
    after = edit(points(), {"op": "add", "points": [[0, 0]], "label": 4})
    assert after.classes == ("a", "b", "3", "4", "5")
    assert after.labels[-1] == 4
    named = Dataset("mine", np.zeros((1, 2)), ("x", "y"), np.zeros(1, int), ("2",))
    assert edit(named, {"op": "add", "points": [[0, 0]], "label": 1}).classes == ("2", "class 2")


def test_move() -> None:
    after = edit(points(), {"op": "move", "index": 2, "to": [7, 8]})
    assert after.table.tolist() == [[0, 1], [2, 3], [7, 8], [6, 7]]
    assert after.labels.tolist() == points().labels.tolist()


def test_erase() -> None:
    after = edit(points(), {"op": "erase", "indices": [0, 2, 0]})
    assert after.table.tolist() == [[2, 3], [6, 7]]
    assert after.labels.tolist() == [1, 1]
    assert edit(after, {"op": "erase", "indices": [0, 1]}).X.shape == (0, 2)


def test_relabel() -> None:
    after = edit(points(), {"op": "relabel", "indices": [0, 1], "label": 2})
    assert after.labels.tolist() == [2, 2, 0, 1]
    assert after.classes == ("a", "b", "3")
    assert after.table.tolist() == points().table.tolist()


def test_painting_on_a_wide_table_keeps_its_columns() -> None:
    data = iris()
    rest = [j for j in range(len(data.columns)) if j not in (data.x, data.y)]
    added = edit(data, {"op": "add", "points": [[1, 2], [3, 4]], "label": 0})
    np.testing.assert_array_equal(added.table[:-2], data.table)
    assert added.X[-2:].tolist() == [[1, 2], [3, 4]]
    middle = data.table[:, rest].mean(axis=0)
    np.testing.assert_allclose(added.table[-2:, rest], [middle] * 2, atol=5e-5)
    moved = edit(data, {"op": "move", "index": 3, "to": [1, 2]})
    assert moved.X[3].tolist() == [1, 2]
    np.testing.assert_array_equal(moved.table[:, rest], data.table[:, rest])
    np.testing.assert_array_equal(np.delete(moved.table, 3, 0), np.delete(data.table, 3, 0))
    for request in (
        {"op": "add", "points": [[1, 2]], "label": 0},
        {"op": "erase", "indices": list(range(len(data.table)))},
        {"op": "relabel", "indices": [0], "label": 2},
    ):
        after = edit(data, request)
        assert (after.columns, after.x, after.y) == (data.columns, data.x, data.y)
    nothing = edit(data, {"op": "erase", "indices": list(range(len(data.table)))})
    first = edit(nothing, {"op": "add", "points": [[1, 2]], "label": 0})
    assert first.X.tolist() == [[1, 2]]
    assert not first.table[:, rest].any()


def test_the_data_given_stay_as_they_are() -> None:
    data = points()
    table, labels = data.table.copy(), data.labels.copy()
    for request in GOOD:
        after = edit(data, request)
        assert not np.shares_memory(after.table, data.table) or after.table is data.table
        np.testing.assert_array_equal(data.table, table)
        np.testing.assert_array_equal(data.labels, labels)


def test_no_more_points_than_fit() -> None:
    many = [[i, -i] for i in range(MAX_ROWS + 10)]
    full = edit(points(), {"op": "add", "points": many, "label": 0})
    assert len(full.table) == MAX_ROWS
    assert full.table[-1].tolist() == many[MAX_ROWS - 5]
    assert len(edit(full, {"op": "add", "points": many, "label": 0}).table) == MAX_ROWS


def test_any_class_that_has_a_colour() -> None:
    for label in range(MAX_CLASSES):
        assert edit(points(), {"op": "relabel", "indices": [0], "label": label}).labels[0] == label


GOOD = [
    {"op": "add", "points": [[0, 0]], "label": 0},
    {"op": "move", "index": 0, "to": [1, 2]},
    {"op": "erase", "indices": [0]},
    {"op": "relabel", "indices": [0], "label": 1},
]
NOT_A_POINT = [
    [float("nan"), 0], [0, float("inf")], [1e13, 0], [0, -1e300], [10**400, 0], ["a", 0], [None, 0],
    [1], [], None, "", 5, {}, [[1], [2]], {"x": 1, "y": 2},
]  # fmt: skip
NOT_A_LABEL = [-1, MAX_CLASSES, 10**30, float("nan"), float("inf"), None, "x", [], [0], {}]
NOT_AN_INDEX = [-1, 4, 10**30, float("nan"), float("inf"), None, "x", [], {}]
HOSTILE = [
    {},
    {"op": None},
    {"op": "explode"},
    {"op": ["add"]},
    {"op": {"add": 1}},
    *({name: value for name, value in good.items() if name != left_out}
      for good in GOOD for left_out in good),
    *({"op": "add", "points": [[0, 0], bad], "label": 0} for bad in NOT_A_POINT),
    *({"op": "add", "points": bad, "label": 0} for bad in (None, 5, "ab", {"a": 1})),
    *({"op": "move", "index": 0, "to": bad} for bad in NOT_A_POINT),
    *({"op": "move", "index": bad, "to": [0, 0]} for bad in NOT_AN_INDEX),
    *({"op": "erase", "indices": [0, bad]} for bad in NOT_AN_INDEX),
    *({"op": "erase", "indices": bad} for bad in (None, 5, "ab", {"a": 1})),
    *({"op": "relabel", "indices": [bad], "label": 0} for bad in NOT_AN_INDEX),
    *({"op": "relabel", "indices": [0], "label": bad} for bad in NOT_A_LABEL),
    *({"op": "add", "points": [[0, 0]], "label": bad} for bad in NOT_A_LABEL),
]  # fmt: skip


@pytest.mark.parametrize("request_", HOSTILE, ids=lambda request: repr(request)[:70])
def test_what_is_not_an_edit_is_refused(request_: dict) -> None:
    with pytest.raises((ValueError, KeyError, TypeError, IndexError)):
        edit(points(), request_)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


@given(
    op=st.sampled_from(["add", "move", "erase", "relabel"]),
    parts=st.fixed_dictionaries(
        {}, optional={name: JSON for name in ("points", "label", "index", "to", "indices")}
    ),
)
def test_whatever_comes_the_data_stay_data(op: str, parts: dict) -> None:
    try:
        after = edit(points(), {"op": op, **parts})
    except (ValueError, KeyError, TypeError, IndexError):
        return
    assert np.isfinite(after.table).all()
    assert after.table.shape == (len(after.labels), 2)
    assert (after.labels < len(after.classes)).all()


def test_what_is_painted_is_rounded_to_what_can_be_told_apart() -> None:
    X = edit(points(), {"op": "add", "points": [[1 / 3, 2**0.5]], "label": 0}).X
    assert X[-1].tolist() == [0.3333, 1.4142]
    assert X[:-1].tolist() == points().X.tolist()


def test_a_message_of_more_than_all_points_is_no_edit() -> None:
    with pytest.raises(ValueError, match="at most"):
        edit(points(), {"op": "erase", "indices": [0] * (MAX_ROWS + 1)})
