"""The lab's questions, judged by the recursions and by central differences."""

import numpy as np
import pytest

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import numbers
from tests.sequences.recurrent_unit.test_lstm_cell import by_cell, cell, sigmoid
from tests.sequences.recurrent_unit.test_recurrent_unit import by_state, state

SETTINGS = {
    "view": ["recurrent unit", "gate"],
    "sequence": ["one bit, then silence", "one bit, then noise", "silence", "to and fro"],
    "times": [3, 8],
    "w": [-2.0, 0.5, 1.5],
    "plain_w": [-2.0, 0.5, 1.5],
    "u": [0.5, 1.0],
    "h0": [0.0, 0.4],
    "forget": [-1.0, 1.0, 4.0],
    "let_in": [-4.0, 0.0],
    "through_h": [0.0, 1.0],
    "seed": range(100),
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    if asked.link["view"] == "gate":
        return judge_gate(asked)
    (x,), how = asked.run.call.args, asked.run.call.how
    w, u, b, h0 = how["w"], how["u"], how["b"], how["start"]
    now = asked.now + 1
    if now < len(x):
        right, kind = state(x[: now + 1], w, u, b, h0), "state"
    else:
        t = 2 * len(x) - 1 - now
        right = by_state(x[t:], w, u, b, state(x[:t], w, u, b, h0))
        kind = "gradient"
    assert numbers(asked.right)[0] == pytest.approx(right, rel=6e-3, abs=1e-8)
    return kind


def judge_gate(asked: Asked) -> str:
    x, W = asked.run.call.args  # type: ignore
    now = asked.now + 1
    if now < len(x):
        right = cell(x[: now + 1], W)[0]
        assert numbers(asked.right)[0] == pytest.approx(right, rel=6e-3, abs=6e-4)
        return "cell state"
    T, w = len(x), float(asked.link["plain_w"])
    t = 2 * T - now  # the time that is gone back through

    def cell_slope(t: int) -> float:
        if t == 0:
            return by_cell(x, W, 0.0, 0.0)
        h = cell(x[: t - 1], W)[1]
        o = sigmoid(float(np.dot(W[3], [*x[t - 1], h, 1.0])))
        return by_cell(x[t:], W, cell(x[:t], W)[0], o)

    def plain_slope(t: int) -> float:
        return by_state(x[t:, 0], w, 1.0, 0.0, state(x[:t, 0], w, 1.0, 0.0, 0.0))

    cells, plain = (abs(of(t - 1) / of(t)) for of in (cell_slope, plain_slope))
    assert ("cell" in asked.right) == (cells > plain)
    return "cell" if cells > plain else "plain"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"state", "gradient", "cell state", "cell", "plain"}
    check_judgements("recurrent_unit", SETTINGS, count, judge, kinds)
