"""What the captions of flips say, from the pictures before and after."""

import numpy as np

from algorithms.core.drawing import drawing
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session

(LAB,) = (lab for lab in LABS if lab.name == "markov_random_field")
CELLS, PEN = 20, 2.5  # of the page
SAID = {  # by whether the cell is as observed now, and as drawn
    (False, True): "Noise is undone",
    (False, False): "A right cell goes wrong",
    (True, True): "A wrong flip is undone",
    (True, False): "The noise is back",
}


def test_a_flip_says_what_it_mends_or_spoils(session: Session) -> None:
    said = set()
    for seed in ("8", "0", "1"):
        session.open(LAB, seed=seed, flipped="0.2", coupling="0.5")
        assert session.run_shown and session.scene_shown
        X, bounds = session.points, session.board.bounds
        drawn = np.where(drawing(X, bounds, PEN, cells=CELLS)[::-1] > 0, 1, -1)
        first, *flips = session.run_shown.steps
        for now, step in enumerate(flips, 1):
            i, j = divmod(step.cell, CELLS)
            x = step.image
            near = [x[at] for at in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
                    if min(at) >= 0 and max(at) < CELLS]  # fmt: skip
            kind = bool(x[i, j] == first.image[i, j]), bool(x[i, j] == drawn[i, j])
            said.add(kind)
            caption = session.scene_shown.caption(now)
            alike = f"{near.count(x[i, j])} of {len(near)} neighbours"
            assert f"{SAID[kind]}: {alike} " in caption
            wrong = int((x != drawn).sum())
            ending = "left" if kind[1] else "now"
            assert f" {wrong} wrong cell{'s' * (wrong != 1)} {ending}." in caption
    assert {(False, True), (False, False)} <= said
