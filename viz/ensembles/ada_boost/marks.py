"""What pictures of a vote have in common: its regions and border, and one learner's border."""

import numpy as np
from numpy import ndarray

from viz.core import naming, plane
from viz.core.scene import Bounds, Plane
from viz.core.theme import color

CELLS = 200  # along each axis
LEAST, MOST = 0.4, 4.0  # diameters: even the lightest point shows, even the heaviest leaves room
UNWEIGHED = 0.8  # diameter of the points held out
_IN = 0.01  # of the picture: from its corner to the words in it
_HEAVY, _THROUGH = 1.8, 0.7  # a diameter from which others show through; how strong it is drawn
_FOOT = 0.05  # of the picture's height, below which there are other words
_LEGEND = 0.85  # of the picture's height, above which names of classes may stand


def vote(
    data: Plane,
    classes: ndarray,
    votes: ndarray,
    surest: float,
    lines: tuple[ndarray, ndarray, ndarray],
    whose: str,
    learner: str,
) -> list[dict]:
    """Draw the regions and the border of a vote, and the border of one learner between colours.

    classes : the two. votes : (rows, columns) F in the cells. surest : the largest |F| there can
    be. lines : the first class's side of the learner's border, the second's, the border. whose,
    learner : its name, such as "this round’s" and "tree".
    """
    winner = classes[(votes > 0).astype(int)]
    low, high, border = lines
    beside = f"the class on this side of the {learner}’s border"
    return [
        plane.regions(winner, np.abs(votes) / surest, data.bounds),
        plane.stairs(winner, classes, data.bounds, line={"width": 3}, name="border of the vote"),
        plane.line(low, line={"width": 1.5, "color": color(int(classes[0]))}, name=beside),
        plane.line(high, line={"width": 1.5, "color": color(int(classes[1]))}, name=beside),
        plane.line(border, line={"width": 1, "dash": "dash"}, name=f"border of {whose} {learner}"),
        _named(border, f"{whose} {learner}", data.bounds),
    ]


def _named(border: ndarray, name: str, box: Bounds) -> dict:
    """Write the name of a learner at the end of its border that is farthest left and down."""
    left, right, bottom, top = box
    ends = border[np.isfinite(border[:, 0])]
    if not len(ends):
        return naming.words(plane.GAP, name, "top left")
    x, y = ends[
        np.argmin((ends[:, 0] - left) / (right - left) + (ends[:, 1] - bottom) / (top - bottom))
    ]
    foot = bottom + _FOOT * (top - bottom)
    up = "bottom" if y > bottom + _LEGEND * (top - bottom) else "top"
    side, text = ("left", f"{name} ") if x > (left + right) / 2 else ("right", f" {name}")
    return naming.words(np.array([x, max(y, foot)]), text, f"{up} {side}")


def note(text: str, box: Bounds) -> dict:
    """Write what a mark means into the lower left corner of the picture."""
    left, right, bottom, top = box
    corner = np.array([left + _IN * (right - left), bottom + _IN * (top - bottom)])
    return naming.words(corner, text, "top right")


def weighted(data: Plane, held: ndarray, weights: ndarray, wrong: ndarray) -> dict:
    """Return the points: the area shows the weight, which held-out points do not have.

    weights, wrong : of the other points, in order.
    """
    size, outlined = np.full(len(held), UNWEIGHED), np.zeros(len(held), bool)
    size[~held] = np.sqrt(len(weights) * weights).clip(LEAST, MOST)
    outlined[~held] = wrong
    strength = np.where(size > _HEAVY, _THROUGH, 1.0)
    return plane.points(data.X, data.labels, outlined, size=size, strength=strength, held=held)
