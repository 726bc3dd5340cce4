"""The modes of the lab; its lesson is convolution.md."""

import numpy as np

from algorithms.networks.convolution import convolutional_network as network
from algorithms.networks.convolution import convolve as algorithm
from algorithms.networks.convolution.bars_and_dots import bars_and_dots, kinds
from algorithms.networks.convolution.convolve import Pooling
from algorithms.networks.convolution.drawn import drawn
from algorithms.networks.convolution.kernels import KERNELS
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.networks.convolution import convolve as shown
from viz.networks.convolution.convolutional_network import Learning

SNAP = 0.5  # weights are dragged in steps of this
DRAWINGS, HELD_OUT = 24, 100
RATES = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0]
BOTH, UPRIGHT = "lying or upright", "upright"
POOLINGS: dict[str, Pooling | None] = {"none": None, "max": "max", "mean": "mean"}


def convolution(lab: Lab) -> Shown:
    """Put the kernel on every place of the drawing on the board."""
    kernel = choose_kernel(lab)
    stride = lab.slider("stride", "Stride", 1, 3, 1, help="From one place to the next, in cells.")
    padding = lab.slider("padding", "Padding", 0, 2, 0, help="Rows of zeros on every side.")
    shift = lab.slider("shift", "Shift the drawing, in columns", -4, 4, 0)
    pen = lab.slider("pen", "Width of the pen, in cells", 1.0, 6.0, 2.0, 0.5)
    pooling = POOLINGS[lab.buttons("pool", "Pooling of the output", list(POOLINGS), "none")]
    box = lab.plane.bounds
    image = lab.later(drawn, lab.plane.X, box, pen, shift=shift)
    still = lab.later(drawn, lab.plane.X, box, pen)
    how = {"stride": stride, "padding": padding}
    run = lab.run_apart(algorithm.convolve, image, kernel, **how)
    unshifted = lab.run_apart(algorithm.convolve, still, kernel, **how)
    return lab.scene(
        shown.Convolve, run, lab.plane, kernel, image, unshifted, (stride, padding, shift), pooling,
        code=algorithm,
    )  # fmt: skip


def choose_kernel(lab: Lab) -> np.ndarray:
    """Ask for a kernel, whose weights are dragged; each kernel keeps its own changes."""
    name = lab.choice("kernel", "Kernel", list(KERNELS), "vertical edges")
    kernel = KERNELS[name]
    usual = lab.later(shown.grips, kernel).value()
    columns = kernel.shape[1]
    middle = usual[:, 1] - shown.TALL * kernel.ravel() / shown.REACH  # there a weight is 0
    within = (0.0, float(columns), middle - shown.TALL, middle + shown.TALL)
    text = f"Weights of “{name}”"
    key = name.replace(" ", "_")
    at = lab.places(key, text, usual, look="line", view=2, within=within, along="y")
    moved = (at - usual)[:, 1] * shown.REACH / shown.TALL
    changed = kernel.ravel() + SNAP * np.round(moved / SNAP)
    return changed.clip(-shown.REACH, shown.REACH).reshape(kernel.shape)


def learning(lab: Lab) -> Shown:
    """Learn two kernels that distinguish bars from dots."""
    bars = lab.buttons("bars", "Bars", [BOTH, UPRIGHT], BOTH)
    activation = lab.buttons("activation", "Activation f", ["relu", "tanh"], "relu")
    pooling = lab.buttons("global", "Pooling of a whole map", ["max", "mean"], "max")
    rate = lab.log_slider("rate", "Learning rate η", RATES, 0.5)
    updates = lab.slider("updates", "Updates", 50, 500, 200, 50)
    picked = lab.slider("drawing", "Drawing in the caption", 1, DRAWINGS, 1)
    seed = lab.number("seed", "Seed", 0, 9999, 1, help="Draws the drawings and the start.")
    both = bars == BOTH
    train, held = (
        lab.later(bars_and_dots, n, both_ways=both, rng=np.random.default_rng([seed, n]))
        for n in (DRAWINGS, HELD_OUT)
    )
    run = lab.run_apart(
        network.convolutional_network, train, kinds(DRAWINGS),
        shape=network.Shape(activation, pooling), learning_rate=rate, max_iter=updates,
        rng=np.random.default_rng(seed),
    )  # fmt: skip
    return lab.scene(Learning, run, train, held, rate, picked - 1, code=network)


MODES = {"convolution": convolution, "learning": learning}

if __name__ == "__main__":
    open_lab(__file__, data="s_curve").show(MODES)
