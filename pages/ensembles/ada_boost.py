"""The modes of the lab; its lesson is ada_boost.md."""

import numpy as np

from algorithms.core.splits import held_out
from algorithms.ensembles.ada_boost import ada_boost as algorithm
from algorithms.ensembles.ada_boost import boosted_stumps, class_vote
from algorithms.ensembles.ada_boost.stumps import take
from algorithms.ensembles.ada_boost.stumps_as_text import check_text, read_stumps
from algorithms.ensembles.ada_boost.summary import boosting_summary
from algorithms.ensembles.ada_boost.vote_summary import vote_summary
from pages._shared.ask.place import picked_place
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.ensembles.ada_boost.ada_boost import Boosting
from viz.ensembles.ada_boost.class_vote import ClassVote

ROUNDS = 25  # on the data that the page opens with, later ones hardly move the border
FEWEST = 5  # voters: with fewer of the class, simulated ones fill up
EQUAL, BOOSTED = "equally", "as in AdaBoost"


def boosting(lab: Lab) -> Shown:
    """Grow one tree per round on the training points."""
    rounds = lab.slider("rounds", "Rounds", 1, 200, ROUNDS)
    depth = lab.slider("depth", "Depth of the trees", 1, 3, 1, help="Trees of depth 1 are stumps.")
    share = lab.slider("held", "Held-out points, about %", 0, 60, 30)
    seed = lab.number("seed", "Seed", 0, 9999, 0, help="Draws which points are held out.")
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    run = lab.run(algorithm.ada_boost, X[~held], y[~held], rounds=rounds, max_depth=depth)
    summary = lab.later(boosting_summary, run, X[held], y[held])
    return lab.scene(Boosting, run, lab.plane, held, summary, picked_point(lab), code=algorithm)


def the_class_votes(lab: Lab) -> Shown:
    """Let the stumps of a class vote, which a room has placed, and those of simulated voters."""
    how = lab.buttons("votes", "Votes count", [EQUAL, BOOSTED], EQUAL)
    rounds = lab.slider("rounds", "Rounds", 1, 200, ROUNDS) if how == BOOSTED else 0
    asked = lab.slider(
        "simulated", "Simulated voters", 0, 100, 15,
        help="With fewer than five voters of the class, simulated voters fill up to five.",
    )  # fmt: skip
    sees = lab.slider("sees", "Points of each class that a simulated voter sees", 1, 50, 3)
    share = lab.slider("held", "Held-out points, about %", 0, 60, 30)
    seed = lab.number(
        "seed", "Seed", 0, 9999, 0,
        help="Draws which points are held out, and what the simulated voters see.",
    )  # fmt: skip
    text = lab.declare("stumps", "Stumps of the class", "", check_text)
    given = len(text) // 2
    X, y = lab.plane.X, lab.plane.labels
    held = held_out(len(X), share / 100, rng=split_rng(seed), codes=y)
    X, y, X_held, y_held = X[~held], y[~held], X[held], y[held]
    voters = lab.later(
        take, X, y, lab.later(read_stumps, text, lab.plane.bounds),
        count=max(asked, FEWEST - given), sees=sees,
        rng=np.random.default_rng([seed, 2]),
    )  # fmt: skip
    boosted = how == BOOSTED
    if boosted:
        run = lab.run(boosted_stumps.boosted_stumps, X, y, stumps=voters, rounds=rounds)
    else:
        run = lab.run(class_vote.class_vote, X, y, stumps=voters)
    summary = lab.later(vote_summary, run, X_held, y_held)
    code = boosted_stumps if boosted else class_vote
    return lab.scene(ClassVote, run, lab.plane, held, summary, given, asked, boosted, code=code)


def picked_point(lab: Lab) -> np.ndarray:
    """Return the point on which every tree's vote is shown; by default near the top right."""
    return picked_place(lab, across=0.7, up=0.8)


MODES = {"boosting": boosting, "the class votes": the_class_votes}

if __name__ == "__main__":
    open_lab(__file__, data="moons", noise=0.3).show(MODES, several="random_forest")
