"""The modes of the lab; its lesson is recurrent_unit.md."""

import numpy as np
from numpy import ndarray

from algorithms.sequences.recurrent_unit import lstm_cell
from algorithms.sequences.recurrent_unit import recurrent_unit as algorithm
from algorithms.sequences.recurrent_unit.sequences import (
    NOISY,
    SEQUENCES,
    keeping,
    marked,
    sequence,
)
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.sequences.recurrent_unit.lstm_cell import LSTMCell
from viz.sequences.recurrent_unit.recurrent_unit import BESIDE, RecurrentUnit

MOST_TIMES = 30
STEEPEST = 0.99  # the height at which the handle of b stops
OVER_TIME, INPUTS = 2, 3  # the views with the inputs


def plain(lab: Lab) -> Shown:
    """Read a sequence with one unit, and go back through time."""
    x = ask_inputs(lab, OVER_TIME, 6)
    w = ask_weight(lab, 0.7, "w")
    u = lab.slider("u", "Weight u of the input", 0.0, 3.0, 2.0, 0.1)
    start = lab.slider("h0", "First state", -1.0, 1.0, -0.5, 0.05)
    b = ask_bias(lab)
    run = lab.run_apart(algorithm.recurrent_unit, x, w=w, u=u, b=b, start=start)
    return lab.scene(RecurrentUnit, run, x, w, u, b, code=algorithm)


def gate(lab: Lab) -> Shown:
    """Keep the first input in a cell with gates."""
    x = ask_inputs(lab, INPUTS, 12)
    f = lab.slider("forget", "Bias of the forget gate", -4.0, 8.0, 4.0, 0.5)
    i = lab.slider("let_in", "Bias of the input gate", -8.0, 4.0, -4.0, 0.5)
    o = lab.slider("output", "Bias of the output gate", -4.0, 8.0, 2.0, 0.5)
    v = lab.slider("through_h", "Weight of h in the new state", -3.0, 3.0, 0.0, 0.1)
    w = ask_weight(lab, 0.9, "plain_w", before="w")  # each mode keeps its own
    weights = keeping(forget=f, let_in=i, output=o, through_h=v)
    run = lab.run_apart(lstm_cell.lstm_cell, marked(x), weights)
    other = lab.run_apart(algorithm.recurrent_unit, x, w=w)
    return lab.scene(LSTMCell, run, other, x, i, code=lstm_cell)


def ask_inputs(lab: Lab, view: int, times: int) -> ndarray:
    """Ask for a sequence, whose inputs are dragged up and down."""
    chosen = lab.choice("sequence", "Sequence", list(SEQUENCES), SEQUENCES[0])
    T = lab.slider("times", "Time steps", 2, MOST_TIMES, times)
    seed = lab.number("seed", "Seed of the noise", 0, 9999, 0) if chosen == NOISY else 0
    drawn = sequence(chosen, T, rng=np.random.default_rng(seed))
    default = np.column_stack([np.arange(1, T + 1), drawn]).astype(float)
    label, within = "Input at time", (1.0, float(T), -1.0, 1.0)
    return lab.places("inputs", label, default, look="line", within=within, view=view, along="y")[
        :, 1
    ]


def ask_weight(lab: Lab, default: float, name: str, before: str | None = None) -> float:
    """Ask for the weight of the plain unit's state. before : its name in old links."""
    label = "Weight w of the plain unit's state" if before else "Weight w of the unit's state"
    return lab.slider(name, label, -3.0, 3.0, default, 0.1, before=before)


def ask_bias(lab: Lab) -> float:
    """Ask for b by the height of the map at h = 0, which is tanh b."""
    within = (BESIDE, BESIDE, -STEEPEST, STEEPEST)
    height = lab.places(
        "threshold", "Bias b", np.array([[BESIDE, 0.0]]), look="line", within=within, along="y"
    )[0, 1]
    return round(float(np.arctanh(height)), 2)


MODES = {"recurrent unit": plain, "gate": gate}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
