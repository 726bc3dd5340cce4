from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.data.presets import DATASETS, Dataset
from pages._shared.data import link
from pages._shared.data.board import HISTORY, MOST_BYTES, MOST_EDITS, Board
from tests.data.test_edits import HOSTILE
from viz.core import plane


def points(n: int = 4) -> Dataset:
    table = np.arange(2.0 * n).reshape(n, 2)
    return Dataset("mine", table, ("x", "y"), np.arange(n) % 2, ("a", "b"))


def new_board() -> Board:
    data = points()
    return Board(data, plane.bounds(data.X))


class Page:
    """Numbers and sends edits as edits.js does."""

    def __init__(self, board: Board, name: str = "page") -> None:
        self.board, self.name, self.number = board, name, 0

    def send(self, *requests: dict) -> dict:
        """Send edits of the shown data; return the message."""
        numbered = []
        for request in requests:
            self.number += 1
            numbered.append(request | {"number": self.number, "revision": self.board.revision})
        sent = {"page": self.name, "edits": numbered}
        self.board.carry_out(sent)
        return sent


def seen(board: Board) -> tuple:
    """Return all that a board shows, comparable by ==."""
    name, table, columns, labels, classes, x, y, about = astuple(board.data)
    return (name, table.tolist(), columns, labels.tolist(), classes, x, y, about, board.bounds)


def add(x: float, y: float, label: int = 0) -> dict:
    return {"op": "add", "points": [[x, y]], "label": label}


UNDO, REDO = {"op": "undo"}, {"op": "redo"}


@pytest.mark.parametrize(("names", "square"), [
    (("length (mm)", "depth (mm)"), True), (("length [mm]", "mass [g]"), False),
    (("length (mm)", "depth"), False), (("x", "y"), False),
])  # fmt: skip
def test_columns_of_a_table_share_a_scale_where_they_share_a_unit(names, square) -> None:
    table = np.array([[0.0, 0.0], [4.0, 1.0]])
    board = new_board()
    board.load(Dataset("mine", table, names, np.zeros(2, int), ("a",)), measured=True)
    left, right, bottom, top = board.bounds
    assert (right - left == pytest.approx(top - bottom)) is square


def test_undo_and_redo() -> None:
    board = new_board()
    page = Page(board)
    states = [seen(board)]
    for request in (add(1, 2), {"op": "move", "index": 0, "to": [5, 5]}, add(3, 4, 2)):
        page.send(request)
        states.append(seen(board))
    for state in states[-2::-1]:
        page.send(UNDO)
        assert seen(board) == state
    page.send(UNDO)
    assert seen(board) == states[0], "there is no more to undo"
    for state in states[1:]:
        page.send(REDO)
        assert seen(board) == state
    page.send(REDO)
    assert seen(board) == states[-1], "there is no more to redo"


def test_an_edit_after_undo_ends_redo() -> None:
    board = new_board()
    page = Page(board)
    page.send(add(1, 2), UNDO, add(3, 4))
    now = seen(board)
    page.send(REDO)
    assert seen(board) == now
    assert not board.future


def test_painting_keeps_the_plane_and_loading_fits_it() -> None:
    board = new_board()
    bounds = board.bounds
    Page(board).send(add(100, 100))
    assert board.bounds == bounds
    assert board.edited
    data = DATASETS["moons"].make(50, noise=0.1, rng=np.random.default_rng(0))
    board.load(data, preset=("blobs",))
    assert board.bounds == plane.bounds(data.X)
    assert not board.edited


def test_load_and_clear_can_be_undone() -> None:
    board = new_board()
    page = Page(board)
    page.send(add(1, 2))
    painted = seen(board)
    board.load(points(9), preset=("blobs",))
    loaded = seen(board)
    board.clear()
    assert len(board.data.X) == 0
    assert board.bounds == plane.bounds(points(9).X), "the plane keeps its size"
    page.send(UNDO)
    assert seen(board) == loaded
    page.send(UNDO)
    assert seen(board) == painted
    page.send(REDO, REDO)
    assert len(board.data.X) == 0


def test_repeated_edits_are_done_once() -> None:
    board = new_board()
    page = Page(board)
    sent = page.send(add(1, 2), add(3, 4))
    board.carry_out(sent)
    board.carry_out({**sent, "edits": sent["edits"][:1]})
    assert len(board.data.X) == 6
    assert (board.page, board.done) == ("page", 2)
    third = add(5, 6) | {"number": 3, "revision": board.revision}
    board.carry_out({**sent, "edits": [*sent["edits"], third]})
    wanted = [*points().X.tolist(), [1, 2], [3, 4], [5, 6]]
    np.testing.assert_allclose(board.data.X, wanted, atol=1e-4)


def test_what_is_painted_is_exactly_what_a_link_to_it_gives() -> None:
    board = new_board()
    Page(board).send(add(1 / 3, 2**0.5), {"op": "move", "index": 0, "to": [np.pi, 1.1]})
    text = link.encode(board.data, board.bounds)
    assert text is not None
    data, bounds = link.decode(text)
    assert np.array_equal(data.table, board.data.table)
    assert bounds == board.bounds
    assert np.abs(board.data.table[4] - [1 / 3, 2**0.5]).max() < 1e-4
    assert board.in_address() == (text, "")


def test_painting_leaves_the_numbers_of_a_table_alone() -> None:
    board = new_board()
    table = points().X + 1e-11
    board.load(replace(points(), table=table), measured=True)
    Page(board).send(add(1 / 3, 2**0.5))
    assert np.array_equal(board.data.X[:4], table)
    board.load(*link.decode(board.in_address().text)[:1])
    Page(board).send(add(1 / 3, 2**0.5))
    assert np.array_equal(board.data.X[:4], table), "nor does it after a reload"


def test_the_points_of_a_preset_are_rounded_once_they_are_ones_own() -> None:
    board = new_board()
    made = DATASETS["moons"].make(1000, noise=0.1, rng=np.random.default_rng(0))
    board.load(made, preset=("moons",))
    assert board.in_address() == ("", "")
    page = Page(board)
    page.send(add(0, 0))
    text, note = board.in_address()
    assert note == "" and len(text) < link.LONGEST
    assert np.array_equal(link.decode(text)[0].table, board.data.table)
    assert np.abs(board.data.table[:-1] - made.table).max() < 1e-4
    page.send(UNDO)
    assert np.array_equal(board.data.table, made.table)
    assert board.in_address() == ("", ""), "it is the preset again, to the last digit"


def test_a_first_edit_of_a_few_points_changes_no_number_that_is_shown() -> None:
    board = new_board()
    made = DATASETS["moons"].make(200, noise=0.1, rng=np.random.default_rng(0))
    board.load(made, preset=("moons",))
    Page(board).send({"op": "erase", "indices": [199]})
    assert np.abs(board.data.table - made.table[:-1]).max() < 1e-6
    text, note = board.in_address()
    assert note == "" and np.array_equal(link.decode(text)[0].table, board.data.table)


def test_the_address_says_what_is_not_in_it() -> None:
    board = new_board()
    chance = np.random.default_rng(0)
    names = tuple(f"c{j}" for j in range(40))
    wide = Dataset("wide", chance.normal(size=(200, 40)), names, np.zeros(200, int), ("1",))
    board.load(wide)
    text, note = board.in_address()
    assert link.decode(text)[0].columns == ("c0", "c1")
    assert note.startswith("Only the columns on the axes fit into the address.")
    board.load(
        replace(
            link.on_plane(wide), table=chance.normal(size=(1000, 2)), labels=np.zeros(1000, int)
        )
    )
    text, note = board.in_address()
    assert note.startswith("In the address, numbers are rounded by at most 1 part in 4,096.")
    above = board.data.table - board.data.table.min(axis=0)
    error = np.abs(link.decode(text)[0].table - board.data.table)
    assert error.max() > 0 and (error <= above / 4096 + 1e-12).all()
    board.load(
        replace(
            link.on_plane(wide), table=chance.normal(size=(5000, 2)), labels=np.zeros(5000, int)
        )
    )
    text, note = board.in_address()
    assert "too many" in note
    with pytest.raises(ValueError, match="5000 points were too many for an address; load"):
        link.decode(text)


def test_another_page_counts_from_one_again() -> None:
    board = new_board()
    Page(board, "first").send(add(1, 2), add(3, 4))
    Page(board, "second").send(add(5, 6))
    assert len(board.data.X) == 7
    assert (board.page, board.done) == ("second", 1)


@pytest.mark.parametrize("change", ["load", "clear"])
def test_edits_of_data_that_are_gone_are_void(change: str) -> None:
    board = new_board()
    old = board.revision
    board.load(points(9), preset=("blobs",)) if change == "load" else board.clear()
    now = seen(board)
    erase = {"op": "erase", "indices": [0], "number": 1, "revision": old}
    board.carry_out({"page": "page", "edits": [erase]})
    assert seen(board) == now
    assert board.done == 1, "the browser must hear that it need not send this again"
    assert board.void == 1, "and the page says so"


@pytest.mark.parametrize("request_", HOSTILE, ids=lambda request: repr(request)[:70])
def test_what_is_not_an_edit_changes_nothing(request_: dict) -> None:
    board = new_board()
    page, now = Page(board), seen(board)
    page.send(request_)
    assert seen(board) == now
    assert not board.past
    page.send(add(1, 2))
    assert len(board.data.X) == 5, "the next edit is done"


GOOD = add(1, 2) | {"number": 1, "revision": 0}


@pytest.mark.parametrize(
    "sent",
    [
        {},
        [],
        "text",
        {"page": "p"},
        {"edits": [GOOD]},
        *({"page": "p", "edits": edits} for edits in (None, 5, "ab", {"a": 1}, [None], [[]], [5])),
        *(
            {"page": "p", "edits": [GOOD | {"number": number}]}
            for number in (None, "x", [], float("nan"), float("inf"))
        ),
        {"page": "p", "edits": [{"op": "add", "points": [[0, 0]], "label": 0, "revision": 0}]},
        {"page": "p", "edits": [GOOD | {"revision": [1]}]},
        {"page": "p", "edits": [GOOD | {"revision": "0"}]},
    ],
    ids=repr,
)
def test_messages_of_another_form_change_nothing(sent: Any) -> None:
    board = new_board()
    now = seen(board)
    board.carry_out(sent)
    assert seen(board) == now


def test_history_is_bounded_in_bytes() -> None:
    board = new_board()
    table = np.random.default_rng(0).normal(size=(5000, 60)).round(3)
    names = tuple(f"c{j}" for j in range(60))
    board.load(Dataset("wide", table, names, np.zeros(5000, int), ("1",)), measured=True)
    page = Page(board)
    for i in range(20):
        page.send({"op": "move", "index": i, "to": [0, 0]})
        held = sum(data.table.nbytes + data.labels.nbytes for data, *_ in board.past)
        assert table.nbytes <= held <= MOST_BYTES
    page.send(*[UNDO] * 20)
    assert sum(data.table.nbytes for data, *_ in board.future) <= MOST_BYTES
    assert not board.past and board.future


def test_a_message_of_many_edits_is_done_in_parts() -> None:
    board = new_board()
    page = Page(board)
    sent = page.send(*[add(0, 0)] * (MOST_EDITS + 5))
    assert board.done == MOST_EDITS
    board.carry_out(sent | {"edits": sent["edits"][MOST_EDITS:]})
    assert len(board.data.X) == 4 + MOST_EDITS + 5


def test_history_is_bounded() -> None:
    board = new_board()
    page = Page(board)
    for i in range(HISTORY + 20):
        page.send(add(i, i))
    assert len(board.past) == HISTORY
    for _ in range(HISTORY + 20):
        page.send(UNDO)
    assert len(board.data.X) == 4 + 20


@st.composite
def requests(draw: st.DrawFn) -> dict:
    """Draw an edit; its indices are taken modulo the number of points."""
    place = st.tuples(st.floats(-9, 9), st.floats(-9, 9)).map(list)
    label, index = st.integers(0, 7), st.integers(0, 99)
    parts = {
        "add": {"points": st.lists(place, max_size=3), "label": label},
        "move": {"index": index, "to": place},
        "erase": {"indices": st.lists(index, max_size=3)},
        "relabel": {"indices": st.lists(index, max_size=3), "label": label},
        "load": {"n": st.integers(0, 5)},
        "clear": {},
    }
    op = draw(st.sampled_from(sorted(parts)))
    return {"op": op} | {name: draw(part) for name, part in parts[op].items()}


@settings(max_examples=150, deadline=None)
@given(st.lists(requests(), max_size=12), st.sampled_from(["mine", "iris"]))
def test_as_many_undos_as_edits_give_the_data_back(drawn: list[dict], start: str) -> None:
    board = new_board()
    if start == "iris":
        data = DATASETS["iris"].make(20, noise=0.0, rng=np.random.default_rng(0))
        board = Board(data, plane.bounds(data.X))
    page, original, done = Page(board), seen(board), 0
    for request in drawn:
        n = len(board.data.X)
        if request["op"] == "load":
            board.load(points(request["n"]), preset=("blobs",))
        elif request["op"] == "clear":
            board.clear()
        elif "index" in request and n == 0:
            continue
        else:
            fitted = {"index": lambda i, n=n: i % n, "indices": lambda found, n=n: fit(found, n)}
            page.send({name: fitted.get(name, same)(value) for name, value in request.items()})
        done += 1
    final = seen(board)
    page.send(*[UNDO] * done)
    assert seen(board) == original
    assert not board.past
    page.send(*[REDO] * done)
    assert seen(board) == final


def fit(indices: list[int], n: int) -> list[int]:
    return [i % n for i in indices] if n else []


def same(value: Any) -> Any:
    return value
