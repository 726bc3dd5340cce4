"""The lab's questions, judged from the places alone."""

import re

import numpy as np

from algorithms.data.places import EUROPE, WORDS
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["springs", "eigenvectors"],
    "between": ["towns in Europe", "words", "the points on the board"],
    "start": ["random", "eigenvectors"],
    "seed": range(100),
    "axes": [2, 4, 6],
    "data": ["iris", "blobs"],
}
NAMES = {"towns in Europe": EUROPE.names, "words": WORDS}


def points(n: int, m: int) -> list[str]:
    """Return the names of the board's points that the map holds: all, or evenly chosen ones."""
    return [f"point {round(i * (n - 1) / max(m - 1, 1)) + 1}" for i in range(m)]


def judge(asked: Asked) -> str:
    before, after, text = asked.before.embedding, asked.after.embedding, asked.question.text
    if text.startswith("Axis"):
        positive = asked.after.eigenvalues.clip(0)
        kept = 100 * positive[: asked.after.axes].sum() / positive.sum()
        shares = [int(re.search(r"\d+", option.text)[0]) for option in asked.question.options]
        assert np.abs(np.subtract(shares, kept)).argmin() == asked.question.right
        return "share"
    names = NAMES.get(asked.link["between"]) or points(len(asked.X), len(before))
    moved = np.linalg.norm(after - before, axis=1)
    if "farthest" in text:
        options = [names.index(option.text) for option in asked.question.options]
        assert moved[options].argmax() == asked.question.right
        for i, option in zip(options, asked.question.options, strict=True):
            np.testing.assert_array_equal(option.place[1:], before[i])
        return "farthest"
    pair = re.search(r"distance between (.+) on the map", text)[1].split(" and ")
    i, j = (names.index(name) for name in pair)
    nearer = np.linalg.norm(after[i] - after[j]) < np.linalg.norm(before[i] - before[j])
    assert asked.right == ("it falls" if nearer else "it rises")
    return "nearer"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"share", "farthest", "nearer"}
    check_judgements("multidimensional_scaling", SETTINGS, count, judge, kinds)
