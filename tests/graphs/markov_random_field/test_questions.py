"""The lab's questions, judged from both energies of the cell, and from brute force."""

import re

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import value
from tests.graphs.markov_random_field.brute_force import energy

SETTINGS = {
    "view": ["iterated conditional modes", "Gibbs sampling", "exact"],
    "data": ["s_curve", "moons", "line", "circles"],
    "cells": [8, 12, 20],
    "narrow": [8, 10, 12],
    "pen": [1, 1.5, 3],
    "flipped": [0.1, 0.2, 0.35],
    "coupling": [0.3, 0.45, 0.6, 1.2],
    "h": [0.6, 1],
    "by": ["flip", "sweep"],
    "T": [0.5, 1, 2],
    "seed": range(20),
}


def both_energies(asked: Asked) -> tuple[int, int, float, float, float]:
    """Return the cell's colour, what was observed of it, and E if it is black and if white."""
    row, column = (int(n) - 1 for n in re.findall(r"(?:row|column) (\d+)", asked.question.text))
    coupling, h = float(asked.link["coupling"]), float(asked.link["h"])
    x, y = asked.before.image, asked.steps[0].image
    found = []
    for colour in (1, -1):
        z = x.copy()
        z[row, column] = colour
        found.append(energy(z, y, coupling, h))
    return int(x[row, column]), int(y[row, column]), *found, h


def judge_flip(asked: Asked) -> str:
    x, y, black, white, h = both_energies(asked)
    flips = (white - black) * x < -1e-9
    around = (white - black) / 2 - h * y  # the neighbours' part of the field
    first = "flips" if flips else "stays"
    stronger = "its neighbours outweigh" if abs(around) > h else "what was observed outweighs"
    assert asked.right.startswith(f"It {first}: {stronger}")
    return first


def judge_draw(asked: Asked) -> str:
    _, _, black, white, _ = both_energies(asked)
    p = 1 / (1 + np.exp((black - white) / float(asked.link["T"])))
    assert abs(value(asked.right) - p) <= 0.0006
    others = [value(option.text) for option in asked.question.options]
    del others[asked.question.right]
    assert all(abs(other - p) > 0.01 for other in others)
    return "p"


def judge_row(asked: Asked) -> str:
    rows = asked.now
    changed = int((asked.before.image[:rows] != asked.after.image[:rows]).sum())
    right = "none" if changed == 0 else "1 to 3" if changed <= 3 else "4 or more"
    assert asked.right == right
    return right


def judge(asked: Asked) -> str:
    """Answer a question of any mode."""
    ways = {"Gibbs sampling": judge_draw, "exact": judge_row}
    return ways.get(asked.link["view"], judge_flip)(asked)


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"flips", "stays", "p", "none", "1 to 3", "4 or more"}
    check_judgements("markov_random_field", SETTINGS, count, judge, kinds)
