"""The modes of the lab; its lesson is sampling.md."""

import numpy as np
from scipy.special import ndtri

from algorithms.evaluation import central_limit, chi_square, one_test, peeking
from algorithms.evaluation.central_limit import Cauchy, Tents
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.evaluation.sampling.central_limit import (
    CAUCHY_WITHIN,
    SIZES,
    TOP,
    WITHIN,
    CentralLimit,
)
from viz.evaluation.sampling.chi_square import WINDOW as STRIP
from viz.evaluation.sampling.chi_square import ChiSquare
from viz.evaluation.sampling.one_test import RAIL, OneTest
from viz.evaluation.sampling.peeking import Peeking

DENSITIES = {"drawn": "drawn by hand", "Cauchy": "Cauchy"}
DRAWN = [0.4, 0.5, 0.3, 0.1, 0.04, 0.04, 0.1, 0.25, 0.15]  # heights of the tents
FOOT = -0.05  # the height of the split's handle, below the points
ONCE, POCOCK = "1.96 at every look", "Pocock's"
ALPHAS = (0.0005, 0.5)  # of the line that is dragged
POWER, SIZE, EFFECT, ALPHA = "power", "n", "effect", "α"
NUMBERS = [5, 10, 16, 25, 50, 100, 200, 500]


def means(lab: Lab) -> Shown:
    """Pile up the means of samples."""
    kind = lab.buttons(
        "density", "Density", list(DENSITIES), "drawn",
        format_func=lambda kind: DENSITIES.get(kind, kind),
    )  # fmt: skip
    n = int(lab.log_slider("n", "Numbers in a sample, n", SIZES.tolist(), 10))
    each = lab.buttons("each", "Samples in a step", [1, 10, 100], 10)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws the samples.")
    source = Cauchy()
    if kind == "drawn":
        default = np.column_stack([np.arange(1.0, 10.0), DRAWN])
        dragged = lab.places(
            "heights", "Height", default, look="line", within=(0, 10, 0.02, TOP), view=1, along="y"
        )
        source = Tents(tuple(dragged[:, 1].tolist()))
    rng = np.random.default_rng(seed)
    run = lab.run_apart(central_limit.central_limit, source, n, rng=rng, each=each)
    widths = lab.later(
        central_limit.half_width, source, SIZES.astype(float),
        share=WITHIN if kind == "drawn" else CAUCHY_WITHIN, rng=np.random.default_rng(1),
    )  # fmt: skip
    return lab.scene(CentralLimit, run, source, n, widths, code=central_limit)


def a_test(lab: Lab) -> Shown:
    """Make experiments, and reject H0 beyond a line."""
    wanted = lab.buttons("solve", "Solve for", [POWER, SIZE, EFFECT, ALPHA], POWER)
    n, effect, alpha, power = 16, 0.5, 0.05, 0.8
    if wanted != SIZE:
        n = int(lab.log_slider("numbers", "Numbers in an experiment, n", NUMBERS, 16))
    if wanted != EFFECT:
        effect = lab.slider("effect", "Effect under H₁, in standard deviations", 0.1, 1.5, 0.5, 0.1)
    if wanted != POWER:
        power = lab.slider("power", "Power", 0.1, 0.99, 0.8, 0.01)
    if wanted != ALPHA:
        alpha = asked_alpha(lab)
    if wanted == SIZE:
        n = one_test.sample_size(effect, alpha, power)
    elif wanted == EFFECT:
        effect = one_test.detectable(n, alpha, power)
    elif wanted == ALPHA:
        alpha = one_test.level(n, effect, power)
    share = lab.slider("share", "Experiments in which H₁ is true, %", 0, 100, 50, 10)
    seed = lab.number("draw", "Seed", 0, 9999, 0, help="Draws the experiments.")
    run = lab.run_apart(
        one_test.one_test, n, effect, alpha, share=share / 100, rng=np.random.default_rng(seed)
    )
    return lab.scene(OneTest, run, n, effect, alpha, code=one_test)


def asked_alpha(lab: Lab) -> float:
    """Ask for the line beyond which H0 is rejected."""
    least, most = (float(ndtri(1 - each)) for each in reversed(ALPHAS))
    start = np.array([[float(ndtri(0.95)), RAIL]])
    line = lab.places(
        "line", "α line", start, look="line", within=(least, most, RAIL, RAIL), along="x"
    )
    return one_test.tail(float(line[0, 0]))


def peek(lab: Lab) -> Shown:
    """Look again and again, and stop as soon as p < 0.05."""
    looks = lab.slider("looks", "Looks at the data", 1, peeking.MOST_LOOKS, 20)
    kind = lab.buttons("border", "Border", [ONCE, POCOCK], ONCE)
    effect = lab.slider("shift", "Effect from look to look", 0.0, 1.0, 0.0, 0.1)
    experiments = lab.slider("experiments", "Experiments", 20, 300, 100, 20)
    seed = lab.number("paths", "Seed", 0, 9999, 0, help="Draws the experiments.")
    border = peeking.BORDER if kind == ONCE else lab.later(peeking.pocock, looks)
    run = lab.run_apart(
        peeking.peeking, looks, border,
        rng=np.random.default_rng(seed), effect=effect, experiments=experiments,
    )  # fmt: skip
    usual = lab.later(peeking.false_alarms, peeking.MOST_LOOKS, peeking.BORDER)
    own = lab.later(peeking.false_alarms, peeking.MOST_LOOKS, border)
    return lab.scene(Peeking, run, effect, usual, own, code=peeking)


def split(lab: Lab) -> Shown:
    """Test whether the side of a split goes with the class."""
    k = lab.buttons("classes", "Classes", [2, 3], 2)
    n = lab.slider("points", "Points", 10, 300, 60, 10)
    apart = lab.slider("apart", "Distance of neighbouring classes", 0.0, 2.0, 0.5, 0.1)
    seed = lab.number("sample", "Seed", 0, 9999, 0, help="Draws the points.")
    start = np.array([[0.0, FOOT]])
    left, right = STRIP[:2]
    place = lab.places(
        "split", "Split", start, look="line", within=(left, right, FOOT, FOOT), along="x"
    )[0, 0]
    rng = np.random.default_rng(seed)
    classes = np.arange(n) % k
    x = np.clip(rng.normal(size=n) + apart * (classes - (k - 1) / 2), left, right)
    observed = chi_square.table((x > place).astype(int), classes, k)
    run = lab.run_apart(chi_square.chi_square, observed)
    return lab.scene(ChiSquare, run, x, classes, float(place), code=chi_square)


MODES = {"central limit": means, "a test": a_test, "peeking": peek, "chi-square": split}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
