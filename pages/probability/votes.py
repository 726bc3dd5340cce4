"""The modes of the lab; its lesson is votes.md."""

import numpy as np
from numpy import ndarray

from algorithms.probability import all_hypotheses, weighted_vote
from algorithms.probability.lines import (
    REACH,
    average_errors,
    feet,
    in_circle,
    random_lines,
    says,
)
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.core.words import numbered
from viz.probability.all_hypotheses import SQUARE, LineVotes
from viz.probability.weighted_vote import WeightedVote

LINE, CIRCLE = "one of the lines", "a circle"
CLOUDS = [20, 50, 100, 200, 400]
RING = np.array([[0.6, 1.3]])
POSTERIORS = (0.4, 0.3, 0.3)


def lines(lab: Lab) -> Shown:
    """Weigh all lines of a cloud, point by point."""
    m = int(lab.log_slider("lines", "Number of lines", CLOUDS, 200))
    truth = lab.buttons("truth", "Truth", [LINE, CIRCLE], LINE)
    shown = lab.toggle("show", "Show the truth", True)
    gibbs = lab.toggle("gibbs", "Show Gibbs, one random line", False)
    n = lab.slider("n", "Points", 5, 60, 11)
    noise = lab.slider("noise", "Wrong labels, share", 0.01, 0.4, 0.1, 0.01)
    draws = "Draws the truth and the points. With 2397 the vote leads by more than on average."
    seed = lab.number("seed", "Seed", 0, 9999, 2397, help=draws)
    ring = lab.places("query", "Picked point", RING, look="query", within=SQUARE)[0]
    cloud = random_lines(m, rng=np.random.default_rng(m))
    index = draw_truth(cloud, seed) if truth == LINE else None
    if shown and index is not None:
        index = ask_truth(lab, cloud, index)
    X, labels = sample(cloud, index, n, noise, seed)
    run = lab.run_apart(
        all_hypotheses.all_hypotheses, says(cloud, X), labels, noise=noise,
        rng=np.random.default_rng([seed, 3]),
    )  # fmt: skip
    average = lab.later(average_errors, cloud, n, noise, rng=np.random.default_rng(0))
    return lab.scene(
        LineVotes, run, cloud, X, labels, noise, index, average, ring, shown, gibbs,
        code=all_hypotheses,
    )  # fmt: skip


def three(lab: Lab) -> Shown:
    """Let three hypotheses vote on one point."""
    weights, answers = [], []
    for i, default in enumerate(POSTERIORS, 1):
        name = numbered("h", i - 1)
        weights.append(lab.slider(f"h{i}", f"Weight of {name}", 0.05, 1.0, default, 0.05))
        answers.append(lab.toggle(f"plus{i}", f"{name} says +", i == 1))
    posterior, says_plus = np.array(weights), np.array(answers)
    run = lab.run_apart(weighted_vote.weighted_vote, posterior, says_plus)
    return lab.scene(WeightedVote, run, posterior, says_plus, code=weighted_vote)


def ask_truth(lab: Lab, cloud: ndarray, drawn: int) -> int:
    """Ask which line is true: the one whose foot is nearest to the handle.

    drawn : the index of the line that is true until the handle is dragged.
    """
    places = feet(cloud)
    handle = lab.places("true_line", "True line", places[[drawn]], within=SQUARE, look="line")[0]
    index = int(np.linalg.norm(places - handle, axis=1).argmin())
    lab.handles[-1]["places"] = places[[index]].tolist()
    return index


def draw_truth(cloud: ndarray, seed: int) -> int:
    """Draw the index of the true line."""
    return int(np.random.default_rng([seed, 0]).integers(len(cloud)))


def sample(
    cloud: ndarray, index: int | None, n: int, noise: float, seed: int
) -> tuple[ndarray, ndarray]:
    """Draw points, and their labels by the true line; without an index, by the circle."""
    places, wrong = (np.random.default_rng([seed, i]) for i in (1, 2))
    X = places.uniform(-REACH, REACH, (n, 2))
    right = in_circle(X) if index is None else says(cloud, X)[:, index]
    return X, right ^ (wrong.random(n) < noise)


MODES = {"lines": lines, "three hypotheses": three}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
