"""The lab's questions, judged by brute force from the steps' tables alone."""

import re

import numpy as np

from algorithms.networks.convolution.bars_and_dots import bars_and_dots
from algorithms.networks.convolution.kernels import KERNELS
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["convolution", "learning"],
    "kernel": ["vertical edges", "outline", "blur", "emboss"],
    "stride": [1, 2],
    "padding": [0, 1],
    "shift": [-2, 0, 3],
    "pen": [1, 2.5],
    "activation": ["relu", "tanh"],
    "global": ["max", "mean"],
    "drawing": [1, 13, 24],
    "seed": range(20),
    "sample": range(20),
}
SIGNS = {1: "above 0", 0: "0", -1: "below 0"}


def judge(asked: Asked) -> str:
    if "kernel" in asked.question.text:
        row, column = map(int, re.findall(r"row (\d+), column (\d+)", asked.question.text)[0])
        place = (row - 1) * asked.after.output.shape[1] + column - 1
        window = asked.steps[place].window
        kernel = KERNELS[asked.link.get("kernel", "vertical edges")]
        value = sum(kernel[i, j] * window[i, j] for i in range(3) for j in range(3))
        assert asked.right == SIGNS[int(np.sign(round(value, 9)))]
        return asked.right
    i = int(re.findall(r"Drawing (\d+)", asked.question.text)[0]) - 1
    seed = int(asked.link.get("seed", 1))
    image = bars_and_dots(24, rng=np.random.default_rng([seed, 24]))[i]
    before, after = (score(image, step) for step in (asked.before, asked.after))
    assert asked.right == ("it rises" if after > before else "it falls")
    return asked.right


def score(image: np.ndarray, step) -> float:
    """Return s, place by place."""
    s = step.c
    for W, b, v in zip(step.kernels, step.biases, step.v, strict=True):
        Z = np.array([(W * image[r : r + 3, c : c + 3]).sum() for r in range(6) for c in range(6)])
        A = np.maximum(Z + b, 0) if step.shape.activation == "relu" else np.tanh(Z + b)
        s += v * (A.max() if step.shape.pooling == "max" else A.mean())
    return s


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {*SIGNS.values(), "it rises", "it falls"}
    check_judgements("convolution", SETTINGS, count, judge, kinds)
