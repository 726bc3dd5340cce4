"""What pictures of a vote have in common: its regions and border, and one learner's border."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy import ndarray

from viz.core import naming, panels, plane
from viz.core.scene import Bounds, Layer, Plane
from viz.core.theme import color, rgb
from viz.core.words import decimal, fixed

CELLS = 200  # along each axis
LEAST, MOST = 0.4, 3.0  # diameters: even the lightest point shows, even the heaviest leaves room
UNWEIGHED = 0.7  # diameter of the points held out
_PALE, _MISSED = 0.45, 0.7  # opacities where the learner is right; there with a thick rim
_CALM, _DEEP = 0.4, 150  # share of the strongest fill; opacity where the vote turns, of 255
_FOOT = 0.19  # of the picture's height, below which there are other words
_LEGEND = 0.85  # of the picture's height, above which names of classes may stand
_BESIDE, _INTO = 0.02, 0.035  # of the picture's height: near a level border; up into its words
_APART = 0.01  # of the picture's height: from a level border to the words beside it
_ALONG = (1, "top left"), *((k / 40, "top right") for k in range(1, 29))  # of a level border
_KEY = 0.3, 0.1  # of the picture: room for the key
_COARSE, _LOOKED_AT = 50, 12  # cells along each axis, and steps, for the key's corner
_LETTERS = 12  # of a class's name beside a border
_LEAST_DECIMALS, _MOST = 4, 12  # of an error
SIGNS = {
    "wrong": "thick outline: vote wrong",
    "size": "area of a point: its weight as the round begins (from 1/6 to 9 times the mean)",
    "strength": "pale: the stump or tree is right, or the point is held out",
}


class Votes(Protocol):
    """A step of either mode."""

    def surface(self, x: ndarray, y: ndarray) -> ndarray:
        """Return the vote's F in the cells of a grid."""
        ...


_FILL, _TURNED = "predicted class", "where the newest vote turns the prediction"


def vote(
    data: Plane,
    classes: ndarray,
    votes: ndarray,
    before: ndarray,
    lines: tuple[ndarray, ndarray, ndarray],
    whose: str,
    learner: str,
) -> list[dict]:
    """Draw the regions and the border of a vote, and the border of one learner with its name.

    classes : the two. votes, before : (rows, columns) F in the cells, and F without the learner's
    vote; a layer is drawn where they elect different classes. lines : the first class's side of
    the learner's border, the second's, the border. whose, learner : its name, such as "this
    round's" and "tree".
    """
    winner = classes[(votes > 0).astype(int)]
    turned = (votes > 0) != (before > 0)
    regions = plane.regions(winner, np.full(winner.shape, _CALM), data.bounds)
    looks = np.array([rgb(color(int(k))) for k in classes], np.uint8)
    deeper = plane.image(
        np.where(turned, 1 + (votes > 0), 0).astype(np.uint8),
        np.concatenate([looks[:1], looks]),
        np.array([0, _DEEP, _DEEP], np.uint8),
        data.bounds,
    )
    stairs = plane.stairs(
        winner, classes, data.bounds, line={"width": 3}, name="border of the vote"
    )
    steps = naming.along(np.column_stack([plane.unpacked(stairs[axis]) for axis in "xy"]))
    low, high, border = lines
    hues = [color(int(k)) for k in classes]
    look, names = {"name": _beside(learner)}, [data.classes[int(k)] for k in classes]
    dashed = {"line": {"width": 2, "dash": "dash"}, "name": f"border of {whose} {learner}"}
    return [
        regions | {"name": _FILL},
        stairs,
        plane.line(low, line={"width": 1.5, "color": hues[0]}, **look),
        plane.line(high, line={"width": 1.5, "color": hues[1]}, **look),
        *(plane.line(part, **dashed) for part in _by_direction(border)),
        *_named(lines, learner, names, data.bounds, np.vstack([data.X, steps])),
        deeper | {"name": _TURNED},
    ]


def _by_direction(border: ndarray) -> list[ndarray]:
    """Return the upright and the level parts of a border: between steps, none turns."""
    same = np.diff(border[:, 0]) == 0
    upright = np.append(same, False) | np.append(False, same)
    return [np.where(part[:, None], border, np.nan) for part in (upright, ~upright)]


def layers(learner: str) -> tuple[Layer, ...]:
    """Return what is off at first: a learner's classes along its border, and what it turns."""
    return (
        Layer(f"sides of the {learner}'s border", (_beside(learner),)),
        Layer("where the vote turns", (_TURNED,)),
    )


def _beside(learner: str) -> str:
    return f"the class on this side of the {learner}'s border"


def _named(
    lines: tuple[ndarray, ndarray, ndarray],
    learner: str,
    classes: list[str],
    box: Bounds,
    taken: ndarray,
) -> list[dict]:
    """Write a learner's name and its class on either side of its border.

    The words are at the end that is farthest left and down. Along a level border they are where
    they cover fewest of the taken places.
    """
    left, right, bottom, top = box
    name = f"this {learner} says"
    first, _, border = lines
    ends = np.isfinite(border[:, 0])
    if not ends.any():
        return 2 * [naming.words(plane.GAP, name, "top left")]
    far = (border[ends] - [left, bottom]) / [right - left, top - bottom]
    at = np.flatnonzero(ends)[far.sum(axis=1).argmin()]
    x, y = border[at]
    across, up = first[at] - border[at]  # towards the first class
    place = np.array([x, max(y, bottom + _FOOT * (top - bottom))])
    low, high = classes if min(across, up) < 0 else classes[::-1]
    low, high = (panels.label(each, _LETTERS) for each in (low, high))
    if up:  # a level border has the words above it and below it, at the freer of its ends
        apart = np.array([0, _APART * (top - bottom)])
        where = [(place + apart, "top right")]
        other = np.flatnonzero(ends)[border[ends, 0].argmax()]
        if border[other, 1] == y and y < bottom + _LEGEND * (top - bottom):
            where += [
                (np.array([(1 - share) * x + share * border[other, 0], place[1]]) + apart, to)
                for share, to in _ALONG
            ]
        # Without "this" the words cover fewer points.
        upper = naming.Name(f"\u00a0{learner} says {high}\u00a0", where, {})
        # A border that runs along the line would be below the words' halo.
        beside = taken[np.abs(taken[:, 1] - y) < _BESIDE * (top - bottom)]
        beside = beside + np.array([0, _INTO * (top - bottom)])
        below = np.array([0, 2 * y]) + taken * [1, -1]  # mirrored
        above = naming.clear_names([upper], box, np.vstack([taken, beside, below]))[0]
        side = above["textposition"].split()[1]
        lower = np.array([plane.unpacked(above["x"])[0], place[1]]) - apart
        return [above, naming.words(lower, f"\u00a0says {low}\u00a0", f"bottom {side}")]
    level = "bottom" if y > bottom + _LEGEND * (top - bottom) else "top"
    near, beyond = (name, "says") if x > (left + right) / 2 else ("says", name)
    return [
        naming.words(place, f"{near} {low}\u2002", f"{level} left"),
        naming.words(place, f"\u2002{beyond} {high}", f"{level} right"),
    ]


def key_corner(steps: Sequence[Votes], data: Plane) -> str:
    """Return the lower corner of the picture in which a key covers least of points and borders.

    The key has the same corner at all steps, some of which are looked at.
    """
    box = data.bounds
    x, y, _ = plane.grid(box, _COARSE)
    taken = [data.X]
    for i in np.unique(np.linspace(0, len(steps) - 1, _LOOKED_AT).round().astype(int)):
        wins = steps[i].surface(x, y) > 0
        rows, columns = np.nonzero(wins[:, 1:] != wins[:, :-1])
        taken.append(np.column_stack([x[columns], y[rows]]))
        rows, columns = np.nonzero(wins[1:] != wins[:-1])
        taken.append(np.column_stack([x[columns], y[rows]]))
    return naming.free_corner(box, np.concatenate(taken), *_KEY, ends=("bottom",))


def key(box: Bounds, corner: str, learner: str, *, weighs: bool = True) -> dict:
    """Write what the size and the strength of a point are, in few words.

    Long ones would lie on the border of the vote.

    learner : "stump" or "tree". weighs : whether the points' weights differ.
    """
    size = "size: weight so far<br>" if weighs else ""
    return naming.in_corner(f"{size}full colour: {learner} misses", box, corner)


def weighted(
    data: Plane,
    held: ndarray,
    weights: ndarray,
    wrong: ndarray,
    missed: ndarray | None = None,
) -> dict:
    """Return the points: the area shows the weight, which held-out points do not have.

    The points that the learner does not get wrong are pale.

    weights, wrong : of the other points, in order. missed : (n,) which points have a thick rim,
    because the vote gets them wrong.
    """
    size, strength = np.full(len(held), UNWEIGHED), np.full(len(held), _PALE)
    if missed is not None:
        strength[missed] = _MISSED
    size[~held] = np.sqrt(len(weights) * weights).clip(LEAST, MOST)
    strength[np.flatnonzero(~held)[wrong]] = 1.0
    return plane.points(data.X, data.labels, missed, size=size, strength=strength, held=held)


def shares(error: float) -> tuple[str, str]:
    """Write 1 - ε and ε with enough decimals to give the printed α and the printed factors."""
    for decimals in range(_LEAST_DECIMALS, _MOST):
        texts = fixed(1 - error, decimals), fixed(error, decimals)
        right, wrong = map(float, texts)
        if wrong > 0 and _results(right, wrong) == _results(1 - error, error):
            return texts
    return decimal(1 - error), decimal(error)


def _results(right: float, wrong: float) -> list[str]:
    """Write α and the two factors of the weights."""
    return [decimal(each) for each in (np.log(right / wrong) / 2, 0.5 / wrong, 0.5 / right)]
