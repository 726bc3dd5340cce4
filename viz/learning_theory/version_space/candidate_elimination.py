"""Candidate elimination: the most specific box, the most general ones, and the doubt between."""

from functools import lru_cache
from itertools import compress

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.learning_theory.version_space.boxes_on_a_grid import (
    CELLS,
    votes,
)
from algorithms.learning_theory.version_space.candidate_elimination import VersionSpaceStep
from viz.core import curves, naming, plane
from viz.core.question import Option, Question, apart, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, rgb
from viz.core.words import numbered, percent, vector
from viz.learning_theory.version_space import marks

_LEVELS = 7  # of the shade: few, so that each has an edge; the first is that of no vote
_FILL = np.tile(np.array(rgb(marks.POSITIVE), np.uint8), (_LEVELS, 1))
_SHADE = "strong: many boxes hold it"
_SHADED = {"symbol": 1, "size": 13, "color": marks.POSITIVE, "opacity": 0.45}
_OPACITY = np.array([0, *np.linspace(30, 150, _LEVELS - 1)], np.uint8)
_DOTS = 40  # of a tile, both ways; it has a clear rim, so that cells can be counted
_TILE = np.pad(np.ones((_DOTS - 2, _DOTS - 2), np.uint8), 1)
_MIDDLES = plane.grid(marks.SQUARE, CELLS)[2]
_SIDES = np.array([-0.5, 0.5]) * (marks.SQUARE[1] - marks.SQUARE[0]) / CELLS  # from a middle
_INWARDS = -0.07  # so that the border of S is seen beside those of G
_NEXT, _FAR = 0.09, 0.27  # outwards from one box of G to the next, and to the last one at most
_FRESH, _OLD, _CUT = 3.0, 1.5, 1.5  # pixels: a new box of G, an old one, and one that is gone
_APART = 0.9  # of two places to choose from
_OTHERS = 3
_NAMED = 4  # boxes of G at most that have a name each; more have one together
_PALE = 0.4  # opacity of a sample to come
_WIDE_S, _ABOVE_S = 1.5, 0.45  # room for the longer name of S: in it, or above it in a box of G
_WORDS = {"size": 15, "weight": 700}


class Elimination(Show[VersionSpaceStep]):
    """The two borders of the version space, sample by sample."""

    note = (
        f"The sides of all boxes are on the lines of a grid of {CELLS} by {CELLS} cells, and each "
        "sample is in the middle of a cell. The stronger the shade of a cell, the more of the "
        "boxes that are left hold it. Borders on the same line are drawn beside each other."
    )

    unit = "sample"
    opens = 8

    def __init__(
        self, run: Run, X: ndarray, positive: ndarray, left: ndarray, truth: ndarray | None,
        place: ndarray | None, *, size: int = 11,
    ) -> None:  # fmt: skip
        """Count the boxes left.

        X : in the middles of cells. left : which boxes remain after 0, 1, ... samples. truth : if
        shown. place : on which the boxes left vote, if one is picked. size : of a sample, in
        pixels; larger if it is dragged.
        """
        super().__init__(run)
        self.X, self.positive, self.truth, self.size = X, positive, truth, size
        self.place = place
        self.left = left
        self.counts = left.sum(axis=(1, 2))
        self.votes = lru_cache(maxsize=32)(lambda seen: votes(left[seen]))

    def views(self) -> list[View]:
        """Return the plane, the number of boxes left, and how sure the cells are."""
        counts = [int(self.counts[step.seen]) for step in self.steps]
        return [
            View("Boxes that agree with all samples so far", self.picture, board=False),
            View(
                "Boxes left after each sample, of 6,084",
                curves.timeline({"boxes left": counts}, log=("boxes left",), along=self.unit),
                ahead="by step",
            ),
            View(
                f"{CELLS**2} small cells, with the bias and without", self.certainty, board=False
            ),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the votes, both borders, and the samples so far."""
        step = self.steps[now]
        X, positive = self.X[: step.seen], self.positive[: step.seen]
        specific, general = self._borders(step)
        fresh = [self._is_fresh(now, box) for box in _with_cells(step)]
        cut = self._cut(now)
        truth = [] if self.truth is None else [self.truth]
        picked = [] if self.place is None else [self.place[None]]
        newest = X[-1:] if step.seen else plane.GAP
        lines = [*general, *specific, *cut, *map(marks.outline, truth)]
        borders = [*map(naming.along, lines)]
        signs = [
            marks.extents(X, self.size),
            *(marks.extents(each.T, marks.HANDLE) for each in truth),
            *(marks.extents(each, marks.HANDLE) for each in picked),
        ]
        names = [
            self._vote_name(now),
            *_names(general),
            marks.corner_name(
                "S: all say +" if self.counts[step.seen] and _has_room(specific, general) else "S",
                specific, self.size, color=marks.POSITIVE,
            ),
            marks.corner_name(
                "true box: drag corners", [*map(marks.outline, truth)], color=GREY
            ),
            *self._kinds(step.seen),
        ]  # fmt: skip
        first = step.seen if self.place is None else len(self.X)  # the user has placed all of them
        later = self.X[first:], self.positive[first:]
        traces = [
            plane.image(
                np.kron(_levels(self.votes(step.seen)), _TILE), _FILL, _OPACITY, marks.SQUARE
            )
            | {
                "name": _SHADE, "zsmooth": False,
            },
            plane.line(plane.GAP, mode="markers", name=_SHADE, showlegend=True, marker=_SHADED),
            plane.line(plane.joined(cut), showlegend=True, name="no longer in G",
                       line={"width": _CUT, "color": marks.NEGATIVE, "dash": "dash"}),
            *(
                plane.line(plane.joined(list(compress(general, shown))), line={"width": width},
                           name=name)
                for name, shown, width in (
                    ("G, most general", [not new for new in fresh], _OLD),
                    ("G, new with this sample", fresh, _FRESH),
                )
            ),
            plane.line(plane.joined(specific), line={"width": 4, "color": marks.POSITIVE},
                       name="S, most specific"),
            marks.outlines(truth, line={"width": 2, "dash": "dot", "color": GREY}, name="true box"),
            *(
                each | {"opacity": _PALE, "name": f"{each['name']}, to come", "showlegend": False}
                for each in marks.samples(*later, self.size)
            ),
            *marks.samples(X, positive, self.size),
            plane.rings(newest, size=self.size + 10, name="newest sample"),
            *naming.clear_names(names, marks.PICTURE, np.concatenate([*signs, *borders])),
        ]  # fmt: skip
        return marks.picture(traces, legend=True, cells=CELLS)

    def _kinds(self, seen: int) -> list[naming.Name]:
        """Write where the boxes left disagree, and where all of them say −."""
        shares = self.votes(seen).ravel()
        kinds = {"boxes disagree": (shares > 0) & (shares < 1), "all say −": shares == 0}
        inks = ({}, {"color": marks.NEGATIVE})
        left = bool(self.counts[seen])
        return [
            naming.Name(
                text,
                [(place, "middle center") for place in _MIDDLES[_wide(cells)]] if left else [],
                _WORDS | ink, _MIDDLES[~cells],
            )
            for (text, cells), ink in zip(kinds.items(), inks, strict=True)
        ]  # fmt: skip

    def _cut(self, now: int) -> list[ndarray]:
        """Return the outlines of the general boxes that the newest sample cut back or ruled out."""
        step = self.steps[now]
        left = [marks.outline(box - _SIDES) for box in _with_cells(step)]
        if step.most_specific is not None:
            left.append(marks.outline(step.most_specific + _SIDES))
        gone = [marks.outline(box - _SIDES) for box in self._gone(now)]
        return [marks.beside_others(each, 1.5 * _NEXT, left) for each in gone]

    def _gone(self, now: int) -> list[ndarray]:
        """Return the general boxes of the step before that are none any more."""
        if not now:
            return []
        before, kept = _with_cells(self.steps[now - 1]), self.steps[now].most_general
        return [box for box in before if not any(box is each for each in kept)]

    def _is_fresh(self, now: int, box: ndarray) -> bool:
        """Return whether a general box is one since this step."""
        return not now or not any(box is each for each in self.steps[now - 1].most_general)

    def _borders(self, step: VersionSpaceStep) -> tuple[list[ndarray], list[ndarray]]:
        """Return the outlines of S and of the boxes of G, on lines of the grid or just beside."""
        specific = [] if step.most_specific is None else [step.most_specific + _SIDES]
        boxes = [marks.outline(box - _SIDES) for box in _with_cells(step)]
        apart = min(_NEXT, _FAR / max(len(boxes) - 1, 1))
        return (
            [marks.beside_others(marks.outline(box), _INWARDS, boxes) for box in specific],
            [marks.beside_others(box, i * apart, boxes[:i]) for i, box in enumerate(boxes)],
        )

    def _say_plus(self, now: int) -> int:
        """Return how many of the boxes left hold the picked place."""
        assert self.place is not None
        across, up = _cells(self.place)
        seen = self.steps[now].seen
        return round(self.votes(seen)[up, across] * self.counts[seen])

    def _vote_name(self, now: int) -> naming.Name:
        """Return the vote on the picked place, beside it; below it the stage may write a word."""
        left = int(self.counts[self.steps[now].seen])
        font = {"size": 15}
        if self.place is None or not left:
            return naming.Name("", [], font)
        off = marks.CLEAR_OF_HANDLE
        ways = (((0, 1), "top center"), ((1, 0), "middle right"), ((-1, 0), "middle left"))
        where = [(self.place + off * np.array(way), side) for way, side in ways]
        return naming.Name(f"{percent(self._say_plus(now) / left, 2)} say +", where, font)

    def _vote(self, now: int) -> str:
        """Write how many of the boxes left hold the picked place."""
        left = int(self.counts[self.steps[now].seen])
        if self.place is None:
            return ""
        if not left:
            return "\nPicked place: no box is left to say anything."
        plus = self._say_plus(now)
        if plus in (0, left):
            says = f"every box that is left says {'+' if plus else '−'}"
        else:
            says = f"{plus:,} of the {left:,} boxes left hold it and say +, {left - plus:,} say −"
        return f"\nPicked place: {says}."

    def certainty(self, now: int) -> Figure:
        """Draw how many cells have which share of votes; without a bias every cell is at ½."""
        step = self.steps[now]
        shares = self.votes(step.seen).ravel()
        kinds = [(shares == 0).sum(), ((shares > 0) & (shares < 1)).sum(), (shares == 1).sum()]
        if not self.counts[step.seen]:  # no box is left that could say anything
            kinds = [0, 0, 0]
        seen = self._cells_seen(now)
        bare = [seen[0], CELLS**2 - sum(seen), seen[1]]
        names = ["all say −", "they disagree", "all say +"]
        bars = [
            {"type": "bar", "name": name, "x": names, "y": [int(k) for k in values],
             "marker": {"color": color}, "hovertemplate": "%{y} cells<extra></extra>"}
            for name, values, color in (
                ("only boxes (bias)", kinds, marks.POSITIVE), ("any set of cells", bare, GREY)
            )
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={"title": {"text": "cells"}, "range": [0, 1.05 * CELLS**2], "nticks": 4},
        )
        return curves.with_legend({"data": bars, "layout": layout | {"barmode": "group"}})

    def _cells_seen(self, now: int) -> list[int]:
        """Return how many cells have a negative sample, and how many a positive one alone."""
        seen = self.steps[now].seen
        names = _cells(self.X[:seen]) @ [1, CELLS]
        negative = np.unique(names[~self.positive[:seen]])
        return [len(negative), len(np.setdiff1d(names[self.positive[:seen]], negative))]

    def caption(self, now: int) -> str:
        """Write what the sample changed, how many boxes are left, and their vote."""
        return f"{self._change(now)}{self._vote(now)}"

    def _change(self, now: int) -> str:
        """Write what the sample changed, and how many boxes are left."""
        step = self.steps[now]
        left = int(self.counts[step.seen])
        shares = self.votes(step.seen)
        doubt = int(((shares > 0) & (shares < 1)).sum())
        total = f"{self.left[0].size:,}"
        if now == 0:
            said = f"No sample yet: all {total} boxes of the grid are possible."
            return f"{said}\nThey disagree on all {doubt} cells."
        where = f"on {doubt} of the {CELLS**2} cells"
        cells = f"The next sample teaches only where they disagree: {where}."
        cells = cells if left > 1 else ""
        what = self._what(now)
        seen = {1: "the first sample", 2: "both samples"}.get(step.seen, f"all {step.seen} samples")
        if step.event == "nothing is left":
            return f"{what}\nNo box agrees with {seen}: the space is empty."
        said = f"{left:,} of {total} boxes {'is' if left == 1 else 'are'} left."
        if now == len(self.steps) - 1 and left > 1:
            said = f"After {seen}, {left:,} of {total} boxes are left."
            agree = f"They agree on {CELLS**2 - doubt} of the {CELLS**2} cells"
            return f"{said} {agree}.\n{what} On the other {doubt} cells, some say + and others −."
        return f"{what} {said}\n{_agrees(step)} {cells}".strip()

    def _what(self, now: int) -> str:
        """Write what the newest sample did to the borders."""
        before, step = self.steps[now - 1], self.steps[now]
        x = self.X[step.seen - 1 : step.seen]
        name = f"Sample {step.seen} is {'positive' if self.positive[step.seen - 1] else 'negative'}"
        if step.event == "nothing is left":
            if not self.positive[step.seen - 1]:
                return f"{name}, inside the most specific box: no box is left."
            return f"{name}: with it, the most specific box holds a negative sample."
        if before.surely_in(x)[0] or before.surely_out(x)[0]:
            return f"{name}, as all boxes that were left said: nothing changes."
        cut = len(self._gone(now))
        if self.positive[step.seen - 1]:
            which = "the general box" if cut == 1 else f"{cut} general boxes"
            verb = "is" if cut == 1 else "are"
            dropped = f", and {which} without it (dashed) {verb} dropped" * (cut > 0)
            return f"{name}: the most specific box grows to hold it{dropped}."
        which = "The general box" if cut == 1 else f"{cut} general boxes"
        fresh = sum(self._is_fresh(now, box) for box in _with_cells(step))
        to = f" to the {'thick one' if fresh == 1 else f'{fresh} thick ones'}" * (fresh > 0)
        verb = "is" if cut == 1 else "are"
        return f"{name}: {which.lower()} that held it (dashed) {verb} cut back{to}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for a place that must shrink the space, or cannot, or what is said of the sample."""
        kinds = [self._said, self._must_shrink, self._cannot]
        found = (kinds[i](now, rng) for i in rng.permutation(len(kinds)))
        return next(filter(None, found), None)

    def _must_shrink(self, now: int, rng: Generator) -> Question | None:
        """Ask for the place whose sample shrinks the space, whatever its label."""
        sure = self._sure(now)
        reason = (
            "It is outside S and inside a box of G: some of the boxes that are left hold it, "
            "others do not. Whatever its label, one kind is ruled out."
        )
        text = "At which of these places must a sample shrink the space, whatever its label?"
        return _where(text, ~sure, sure, reason, rng)

    def _cannot(self, now: int, rng: Generator) -> Question | None:
        """Ask for the place whose sample, rightly labelled, changes nothing."""
        sure = self._sure(now)
        reason = "All boxes that are left say the same of it, so a right label rules out none."
        text = "At which of these places can a sample with its right label not change the space?"
        return _where(text, sure, ~sure, reason, rng)

    def _sure(self, now: int) -> ndarray:
        """Return for the middle of every cell whether all boxes left say the same of it."""
        step = self.steps[now]
        return step.surely_in(_MIDDLES) | step.surely_out(_MIDDLES)

    def _said(self, now: int, rng: Generator) -> Question | None:
        """Ask what the boxes left say of the next sample before its label is known."""
        step = self.steps[now]
        x = self.X[step.seen]
        place = (0, float(x[0]), float(x[1]))
        options = {
            "in": Option("all of them say +"),
            "out": Option("all of them say −"),
            "doubt": Option("some say +, others −"),
        }
        if step.surely_in(x[None])[0]:
            right, reason = "in", "The most specific box holds it, and every box holds that one."
        elif step.surely_out(x[None])[0]:
            right, reason = "out", "No general box holds it, so no box that is left does."
        else:
            right = "doubt"
            reason = "A general box holds it, and the most specific box does not."
        others = [option for name, option in options.items() if name != right]
        text = "The next sample is at ?. What do the boxes that are left say of it?"
        return question(text, options[right], others, reason, place)


def _agrees(step: VersionSpaceStep) -> str:
    """Write which boxes are left."""
    count = len(_with_cells(step))
    general = "the box of G" if count == 1 else f"one of the {count} boxes of G"
    holds_s = "" if step.most_specific is None else "holds S and "
    return f"A box is left if it {holds_s}is within {general}."


def _with_cells(step: VersionSpaceStep) -> list[ndarray]:
    """Return the boxes of G that hold a cell; one at a sample beside the edge holds none."""
    outlines = [marks.outline(box - _SIDES) for box in step.most_general]
    return [
        box
        for box, outline in zip(step.most_general, outlines, strict=True)
        if (np.ptp(outline, axis=0) > 0).all()
    ]


def _has_room(specific: list[ndarray], general: list[ndarray]) -> bool:
    """Return whether the longer name of S has room in S, or above it in a box of G.

    Elsewhere it would be where all boxes say −.
    """
    if not specific:
        return False
    (wide, _), (_, top) = np.ptp(specific[0], axis=0), specific[0].max(axis=0)
    return bool(wide >= _WIDE_S or any(box[:, 1].max() >= top + _ABOVE_S for box in general))


def _names(general: list[ndarray]) -> list[naming.Name]:
    """Name each box of G where no other one is, if there is such a place; many have one name."""
    count = len(general)
    if count == 1 or count > _NAMED:
        text = "G" if count == 1 else f"G: {count} boxes"
        found = [marks.corner_name(text, sorted(general, key=_area)[-1:])]
    else:
        found = []
        for i, box in enumerate(general):
            name = marks.corner_name(numbered("G", i), [box])
            others = [*general[:i], *general[i + 1 :]]
            alone = [each for each in name.where if not any(_holds(o, each[0]) for o in others)]
            found.append(name._replace(where=alone or name.where))
    return found + [naming.Name("", [], _WORDS)] * (_NAMED - len(found))


def _holds(outline: ndarray, place: ndarray) -> bool:
    return bool((outline.min(axis=0) < place).all() and (place < outline.max(axis=0)).all())


def _wide(cells: ndarray) -> ndarray:
    """Return the cells that have a neighbour of their kind on the left and on the right."""
    grid = np.pad(cells.reshape(CELLS, CELLS), ((0, 0), (1, 1)))
    return (grid[:, :-2] & grid[:, 1:-1] & grid[:, 2:]).ravel()


def _levels(shares: ndarray) -> ndarray:
    """Return the number of the shade of each share; its root, so that few boxes are seen too."""
    return np.ceil(np.sqrt(shares) * (_LEVELS - 1)).astype(np.uint8)


def _cells(places: ndarray) -> ndarray:
    """Return the column and the row of the cell in which each place is."""
    left, right, bottom, top = marks.SQUARE
    size = np.array([right - left, top - bottom]) / CELLS
    return ((places - [left, bottom]) / size).astype(int).clip(0, CELLS - 1)


def _area(corners: ndarray) -> float:
    """Return the area of a box by its corners."""
    return float(np.ptp(corners, axis=0).prod())


def _where(text: str, yes: ndarray, no: ndarray, reason: str, rng: Generator) -> Question | None:
    """Ask for the one cell of `yes` among cells of `no`, by its place."""
    if not yes.any() or not no.any():
        return None
    right = int(rng.choice(np.flatnonzero(yes)))
    rows = [right, *rng.permutation(np.flatnonzero(no)).tolist()]
    places = [(0, *_MIDDLES[i].tolist()) for i in rows]
    kept = apart(places, _APART)[: 1 + _OTHERS]
    options = [Option(f"at {vector(places[j][1:])}", places[j]) for j in kept]
    return question(text, options[0], options[1:], reason)
