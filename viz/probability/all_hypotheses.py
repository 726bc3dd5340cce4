"""A cloud of lines that vote, and the heaviest one alone; also one that Gibbs draws."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.all_hypotheses import VotesStep
from algorithms.probability.lines import (
    RADIUS,
    REACH,
    AverageErrors,
    feet,
    in_circle,
    says,
)
from viz.core import curves, naming, plane
from viz.core.graph import texts
from viz.core.hatching import hatched
from viz.core.question import Option, Question, question
from viz.core.scene import Bounds, Figure, Layer, Run, View
from viz.core.show import Show
from viz.core.theme import DASHES, GREY, PALETTE
from viz.core.words import number, percent
from viz.probability.vote_border import VoteBorder

SQUARE: Bounds = (-REACH, REACH, -REACH, REACH)
_EDGE = 1.04 * REACH  # so that no point is cut at an edge of the picture
_AROUND: Bounds = (-_EDGE, _EDGE, -_EDGE, _EDGE)
_BEYOND: Bounds = (-1.1 * _EDGE, 1.1 * _EDGE, -1.1 * _EDGE, 1.1 * _EDGE)  # borders go on outside
_NAMED = {"MAP": "MAP: heaviest line", "Gibbs": "Gibbs: one random line"}
_SIZE = 60  # cells of the picture along an axis
_FINER = 2  # times as many cells of what the vote says, beside its exact border
_ALONE = 10  # times the equal weight, from which on a line may be drawn as the boldest
_LONG = 4.3  # from the middle of a line to its ends, outside the square
_THIN, _BOLD = 0.4, 1.2  # pixels: of a line with the equal weight, and of the boldest
DRAWN = 6  # voters, so that the first steps are no thicket
_VOTER = f"heaviest voters, at most {DRAWN}"
_KEY = {
    "edges": f"voter: the bolder, the more weight; drawn are the heaviest lines, which have half "
    f"of the weight, or {DRAWN} of them"
}
_HATCHED = "hatched: the vote is wrong"
_LAYERS = (
    Layer("voters", (_VOTER,), on=True),
    Layer("where the vote is wrong", (_HATCHED,)),
)
_WORDS = (1.5, 2.6)  # how far from the middle, across or up, the three lines are named
_SIDES = [f"{up} {across}" for up in ("top", "bottom") for across in ("left", "right")]
_SIGN = plane.grid((-0.16, 0.16, -0.16, 0.16), 9)[2]  # places of a sign that names keep off
_AROUND_0 = np.array([[0, 0], [-1, -1], [-1, 1], [1, -1], [1, 1]])
_POINT = 0.18 * _AROUND_0  # places of a point that names keep off
_HANDLE = plane.grid((-0.25, 0.25, -0.25, 0.25), 7)[2]  # of a handle, on a phone too
_SIDE = 0.2  # from a line to the signs of its sides
_APART = 0.003  # between two answers
_TIE = 1e-9  # of the weight
_TALL = 2.0  # share of the column of a view of errors: one is open at a time
_NEARLY = 0.9995  # of the weight: more than this is not written with all its nines
_SAME = 0.01  # share of the cells in which two borders that have one name may differ
_SIGNS = ("+", "−")
_GIBBS, _MAP, _TRUTH = PALETTE[6], PALETTE[2], PALETTE[3]
_SPARSE = 3  # cells from one hatched place to the next that names keep off


def _farthest_first(border: ndarray, others: ndarray) -> ndarray:
    """Return the places of a border near the edges of the picture, those far from others first."""
    out = np.abs(border).max(axis=1)
    border = border[(out > _WORDS[0]) & (out < _WORDS[1])]
    apart = np.linalg.norm(border[:, None] - others, axis=2).min(axis=1)
    return border[np.argsort(-apart, kind="stable")]


def _nearest_first(border: ndarray, handle: ndarray) -> ndarray:
    """Return the places of a border inside the picture, those near its handle first."""
    border = border[np.abs(border).max(axis=1) < _WORDS[1]]
    return border[np.argsort(np.linalg.norm(border - handle, axis=1), kind="stable")][::2]


class LineVotes(Show[VotesStep]):
    """The weights of all lines, point by point, and the three ways to classify by them."""

    unit = "point"

    def __init__(
        self, run: Run, lines: ndarray, X: ndarray, labels: ndarray, noise: float,
        truth: int | None, average: AverageErrors, ring: ndarray, shown: bool, gibbs: bool,
    ) -> None:  # fmt: skip
        """Compute what all lines say.

        truth : the true line's index; None for the circle. shown, gibbs : whether the truth and the
        line that Gibbs draws are shown.
        """
        super().__init__(run)
        self.lines, self.X, self.labels, self.noise = lines, X, labels, noise
        self.truth, self.shown, self.gibbs, self.ring = truth, shown, gibbs, ring
        self.alone = 2 if gibbs else 1  # lines that classify alone
        self.ways = ("vote", "MAP", "Gibbs")[: 1 + self.alone]
        cells = plane.grid(SQUARE, _SIZE)[2]
        self.cells = says(lines, cells)
        right = in_circle(cells) if truth is None else self.cells[:, truth]
        self.true_cells = right
        self.errors = np.array([step.errors(self.cells, right) for step in self.steps])
        self.x, self.y, drawn = plane.grid(_BEYOND, _SIZE)
        self.drawn = says(lines, drawn)
        self.fine = says(lines, plane.grid(_BEYOND, _FINER * _SIZE)[2])
        self.border = VoteBorder(lines, 2 * _EDGE)
        self.right = in_circle(drawn) if truth is None else self.drawn[:, truth]
        self.at_points, self.at_ring = says(lines, X), says(lines, ring[None])[0]
        self.noisy = labels != (in_circle(X) if truth is None else self.at_points[:, truth])
        self.known = self.errors.copy()
        self.known[0, 1] = np.nan  # before the first point no line is the heaviest
        ahead = self.known[:, 1] - self.known[:, 0]  # how far the vote is
        self.opens = int(np.nanargmax(ahead))
        self.runs = _curves(self.ways, self.known)
        self.mean = np.stack([average.vote, average.most_probable, average.gibbs], axis=1)
        twice = np.column_stack([np.arange(len(self.mean)), 200 * self.mean[:, 0]])
        look = {"width": 1.5, "color": GREY}
        limit = plane.line(twice, line=look, name="2 · vote, Gibbs' bound", showlegend=True)
        if truth is None:  # where the guess is far too low
            expected = [100 * step.expected(self.cells).vote for step in self.steps]
            along = np.column_stack([np.arange(len(expected)), expected])
            guess = plane.line(along, line=look, name="the vote's own guess", showlegend=True)
            self.runs.append(guess)
        self.averages = _curves(self.ways, self.mean)
        if gibbs:
            self.averages.append(limit)

    def views(self) -> list[View]:
        """Return the plane, the errors, and the space in which every line is a point.

        The errors on average come first, because one run may be luck. They are over true lines, so
        they are left out if the truth is the circle.
        """
        first = "All lines, weighted by what the points say"
        average = "Errors on average over 200 true lines"
        views = [
            View(first, self.picture, board=False, layers=_LAYERS),
            View(average, self.on_average, _TALL, ahead="by step", board=False),
            View("Errors in this run", self.this_run, _TALL, ahead="by step", board=False),
            View("Every line as a dot", self.dual, board=False),
        ]
        return views if self.truth is not None else [views[0], *views[2:]]

    def picture(self, now: int) -> Figure:
        """Draw the vote as regions, the lines by their weights, and the points so far."""
        step = self.steps[now]
        plus = step.shares(self.drawn).reshape(_SIZE, _SIZE) > 0.5 + _TIE
        fine = step.shares(self.fine).reshape(_FINER * _SIZE, _FINER * _SIZE)
        # Before the first point the vote is nearly a tie everywhere: its border is only chance.
        wrong = (plus != self.right.reshape(_SIZE, _SIZE)) & self.shown & (step.seen > 0)
        border = self.border.paths(step.weights, 0.5 + _TIE) if step.seen else []
        borders, names = self._named(step, plus)
        chosen = [
            (step.most_probable, _MAP, DASHES[1], "MAP, a line with the most weight"),
            (step.drawn, _GIBBS, DASHES[2], "Gibbs, a line drawn by its weight"),
        ][: self.alone]
        traces = [
            plane.regions(
                (fine <= 0.5 + _TIE).astype(int), np.abs(2 * fine - 1), _BEYOND, signs=False
            )
            | {"name": "what the vote says, fainter where it is close"},
            hatched(wrong, _BEYOND, outlined=False, ink=_TRUTH) | {"name": _HATCHED},
            plane.line(plane.joined(border), line={"width": 5}, name="border of the vote"),
            # Below the dashes, which may be the same line.
            plane.line(self._truth(), line={"width": 3, "color": _TRUTH}, name="truth"),
            *(
                plane.line(
                    self._ends([row])[0] if own else plane.GAP,
                    line={"width": 3, "color": ink, "dash": dash},
                    name=name,
                )
                for (row, ink, dash, name), own in zip(chosen, names[1:], strict=True)
            ),
            plane.line(plane.GAP, line={"width": 1, "color": GREY}, name=_VOTER, showlegend=True),
        ]
        signs = [
            self._signs(step.seen, row if own else None, self._border(borders[0]))
            for (row, *_), own in zip(chosen, names[1:], strict=True)
        ]
        traces += [*self._points(step.seen), *self._words(step, borders, names, signs, wrong)]
        traces += [
            texts(places, [*_SIGNS], textfont={"size": 18, "weight": 700, "color": ink})
            for places, (_, ink, *_) in zip(signs, chosen, strict=True)
        ]
        figure = plane.figure(traces, _AROUND, edges=self._voters(step), signs=_KEY)
        for name in ("xaxis", "yaxis"):
            figure["layout"][name] |= {"dtick": 2}
        return curves.with_legend(figure, x=0, xanchor="left")

    def _named(self, step: VotesStep, plus: ndarray) -> tuple[list[ndarray], list[str]]:
        """Return where each way says +, and its name; ways with (nearly) one border share it.

        plus : of all cells, where the vote says +. Before the first point the vote has no
        border and no line is the heaviest, so neither has a name.
        """
        says = [plus, *self.drawn[:, self._chosen(step)].T]
        borders = [each.reshape(_SIZE, _SIZE) for each in says]
        names: list[str] = [*self.ways]
        if not step.seen:
            names[:2] = "", ""
        for later in range(len(names) - 1, 0, -1):
            for earlier in range(later):
                apart = (borders[earlier] != borders[later]).mean()
                if names[earlier] and names[later] and apart < _SAME:
                    names[earlier] += f" {'≈' if apart else '='} {names[later]}"
                    names[later] = ""
        return borders, names

    def _chosen(self, step: VotesStep) -> list[int]:
        """Return the lines of MAP and, if it is shown, of Gibbs."""
        return [step.most_probable, step.drawn][: self.alone]

    def _words(
        self,
        step: VotesStep,
        borders: list[ndarray],
        names: list[str],
        signs: list[ndarray],
        wrong: ndarray,
    ) -> list[dict]:
        """Name each border, and the truth, clear of what else is drawn.

        wrong : which cells are hatched.
        """
        inks: list[dict] = [{}, {"color": _MAP}, {"color": _GIBBS}][: len(self.ways)]
        lines = [self._border(plus) for plus in borders]
        truth = "truth" if self.truth is None else "truth: drag it"
        names, lines = [*names, truth if self.shown else ""], [*lines, self._true_border()]
        inks.append({"color": _TRUTH})
        named = []
        for i, (name, ink) in enumerate(zip(names, inks, strict=True)):
            others = [lines[j] for j in range(len(names)) if j != i and names[j]] or [plane.GAP[:0]]
            places = _farthest_first(lines[i], np.concatenate([*others, self.ring[None]]))[::2]
            if i == len(self.ways) and self.truth is not None:  # beside the handle that drags it
                places = _nearest_first(lines[i], self._handles()[-1])
            where = [(place, side) for place in places for side in _SIDES]
            text = self._tied_name(step, name)
            crossed = np.concatenate([*others, *others])  # to cross another line is the worst
            named.append(naming.Name(text, where, {"size": 15, "weight": 700} | ink, crossed))
        shown = [line for name, line in zip(names, lines, strict=True) if name]
        around = np.concatenate(signs)[:, None] + _SIGN
        points = self.X[: step.seen, None] + _POINT
        handles = self._handles()[:, None] + _HANDLE
        row, column = np.nonzero(wrong[::_SPARSE, ::_SPARSE])
        stripes = np.column_stack([self.x[::_SPARSE][column], self.y[::_SPARSE][row]])
        taken = np.concatenate(
            [*shown, *(each.reshape(-1, 2) for each in (points, handles, around)), stripes]
        )
        return naming.clear_names(named, _AROUND, taken)

    def _tied_name(self, step: VotesStep, name: str) -> str:
        """Return the name of a border, with the number of lines that tie for the most weight."""
        tied = len(step.heaviest)
        if tied == 1:
            return _NAMED.get(name, name)
        if name == "MAP":
            return f"MAP: one of {tied} tied"
        return _NAMED.get(name, name).replace("MAP", f"MAP (one of {tied})")

    def _border(self, plus: ndarray) -> ndarray:
        """Return the places along a border. plus : where it says +, of all cells."""
        row, column = np.nonzero(
            (plus[:-1, :-1] != plus[1:, :-1]) | (plus[:-1, :-1] != plus[:-1, 1:])
        )
        return np.column_stack([self.x[column], self.y[row]])

    def _handles(self) -> ndarray:
        """Return the places that can be dragged: the picked point, and the truth's foot."""
        foot = plane.GAP[:0]
        if self.shown and self.truth is not None:
            foot = feet(self.lines[[self.truth]])
        return np.concatenate([self.ring[None], foot])

    def _true_border(self) -> ndarray:
        """Return the places along the truth, with the square's grid of the other borders."""
        return self._border(self.right.reshape(_SIZE, _SIZE))

    def _points(self, seen: int) -> list[dict]:
        """Draw the points so far, with a ring around the newest."""
        X, labels = self.X[:seen], self.labels[:seen]
        drawn = [
            plane.line(
                X[labels == label] if (labels == label).any() else plane.GAP,
                mode="markers", marker={"symbol": group, "size": 11, "color": PALETTE[group]},
                name=_SIGNS[group], showlegend=True,
            )
            for group, label in enumerate((True, False))
        ]  # fmt: skip
        newest = X[-1:] if seen else plane.GAP
        return [*drawn, plane.rings(newest, size=22, name="newest")]

    def _voters(self, step: VotesStep) -> dict:
        """Draw the lines that have half of the weight but those that have names.

        The bolder, the more weight.
        """
        width = (_THIN * np.sqrt(step.weights * len(step.weights))).clip(0, _BOLD)
        width[self._chosen(step)[0 if step.seen else 1 :]] = 0  # no line leads before a point
        width[np.argsort(-step.weights, kind="stable")[min(step.half, DRAWN) :]] = 0
        start, end = self._ends(np.arange(len(width))).transpose(1, 0, 2)
        return plane.edges(start, end, width=width)

    def _ends(self, rows: ndarray | list[int]) -> ndarray:
        """Return the (lines, 2, 2) ends of some lines."""
        angle, offset = self.lines[rows].T
        normal = np.stack([np.cos(angle), np.sin(angle)])
        along = np.stack([-normal[1], normal[0]])
        foot = offset * normal
        return np.stack([foot - _LONG * along, foot + _LONG * along]).transpose(2, 0, 1)

    def _signs(self, seen: int, row: int | None, vote: ndarray) -> ndarray:
        """Return a place on either side of a line, the + side first, at one of its ends.

        It is the end farther from points and from the border of the vote. vote : places along it.
        """
        if row is None:
            return np.full((2, 2), np.nan)
        angle, offset = self.lines[row]
        normal = np.array([np.cos(angle), np.sin(angle)])
        way = np.linspace(-_LONG, _LONG, 200)[:, None] * [-normal[1], normal[0]]
        line = offset * normal + way
        inside = line[np.abs(line).max(axis=1) < REACH - _SIDE]
        if not len(inside):
            return np.full((2, 2), np.nan)
        marked = np.concatenate([self.X[:seen], self.ring[None], vote if seen else vote[:0]])
        apart = np.linalg.norm(inside[[0, -1], None] - marked, axis=2).min(axis=1)
        end = inside[[0, -1]][int(apart.argmax())]
        return end + _SIDE * np.array([normal, -normal])

    def _truth(self) -> ndarray:
        if not self.shown:
            return plane.GAP
        if self.truth is not None:
            return self._ends([self.truth])[0]
        turn = np.linspace(0, 2 * np.pi, 81)
        return RADIUS * np.column_stack([np.cos(turn), np.sin(turn)])

    def this_run(self, now: int) -> Figure:
        """Draw the errors of the ways against the points, and what the weights expect."""
        return self._against(self.runs, self.known, now)

    def on_average(self, now: int) -> Figure:
        """Draw the same on average over truths; with Gibbs, also twice the error of the vote."""
        return self._against(self.averages, self.mean, now)

    def _against(self, lines: list[dict], errors: ndarray, now: int) -> Figure:
        most, top = len(self.steps) - 1, 100 * float(np.nanmax(errors[:, : len(self.ways)]))
        vote, best = (100 * errors[now, :2]).tolist()
        marks = [
            curves.marked(now, best, marker=curves.HOLLOW | {"color": _MAP}, showlegend=False)
            | {"y": plane.packed(100 * errors[now, 1:2])},  # which may be missing
            curves.marked(now, vote, showlegend=False),
        ]
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "points", "standoff": 4}, "range": [-0.03 * most, 1.03 * most],
            },
            yaxis={"title": {"text": "error, %"}, "range": [-0.03 * top, 1.06 * top], "nticks": 5},
        )  # fmt: skip
        return curves.with_legend({"data": [*lines, *marks], "layout": layout})

    def dual(self, now: int) -> Figure:
        """Draw every line as a dot at its angle and offset: the larger, the more weight."""
        step = self.steps[now]
        size = np.sqrt(step.weights / max(step.weights.max(), _ALONE / len(step.weights)))
        places = self.lines * [180 / np.pi, 1]
        truth = [] if self.truth is None or not self.shown else [self.truth]
        wide = 15 if len(step.heaviest) <= DRAWN else 9  # many squares leave the dots visible
        chosen = [
            (places[step.heaviest] if step.seen else plane.GAP, 101, wide, _MAP, "heaviest (MAP)"),
            (places[truth] if truth else plane.GAP, 103, 16, _TRUTH, "truth"),
            (places[[step.drawn]], 102, 20, _GIBBS, "Gibbs"),
        ][: 1 + self.alone]
        traces = [
            plane.line(
                X, mode="markers", name=name,
                marker={"symbol": symbol, "size": wide, "color": ink, "line": {"width": wide / 5}},
            )
            for X, symbol, wide, ink, name in chosen
        ]  # fmt: skip
        points = plane.points(places, np.zeros(len(places), int), size=0.1 + size)
        names = ("angle of the + side, degrees", "offset")
        signs = {"points": "line", "size": "the larger, the more weight"}
        return plane.figure(traces, (-8, 368, -3.2, 3.2), names, points=points, signs=signs)

    def caption(self, now: int) -> str:
        """Write the errors, what the point did to the weights, and the vote at the picked point."""
        step, m = self.steps[now], len(self.lines)
        vote, best = (percent(each, 2) for each in self.errors[now, :2])
        tied = len(step.heaviest)
        errs = f"The vote of all lines errs on {vote} of the square, "
        errs += f"the heaviest line alone (MAP) on {best}."
        if tied > 1:
            errs = (
                f"The vote of all lines errs on {vote} of the square; the {tied} heaviest (MAP), "
                f"which tie, err on {best} on average."
            )
        gibbs = f" Gibbs, one random line, errs on {percent(self.errors[now, 2])}."
        gibbs = gibbs if self.gibbs else ""
        lines = f"{step.half} lines have at least half"
        if step.half == 1:
            lines = f"line has {_nearly(step.weights.max())}"
        if now == 0:
            what = f"No point yet: each of the {m} lines has the same weight, 1/{m}."
            shares = step.shares(self.cells)
            rule = (
                f"So the vote is split: + has from {percent(shares.min(), 2)} to "
                f"{percent(shares.max(), 2)} of the weight, and no line is heavier than another."
                f"{gibbs}"
            )
        elif now < len(self.steps) - 1:
            what = errs
            sign = _SIGNS[int(not self.labels[now - 1])]
            false = ", a wrong label" if self.shown and self.noisy[now - 1] else ""
            rule = (
                f"Point {now} is {sign}{false}: lines that say {sign} there keep "
                f"{number(1 - self.noise)} of their weight, others {number(self.noise)}; the "
                f"heaviest {lines} of it now.{gibbs}"
            )
        else:
            what = errs
            half = f"After {now} points, the heaviest {lines} of the weight."
            means = ", ".join(
                f"{way} {percent(error)}"
                for way, error in zip(self.ways, self.mean[now], strict=False)
            )
            rule = f"{half} On average over 200 true lines, the errors are: {means}.{gibbs}"
            if self.truth is None:
                guess = percent(step.expected(self.cells).vote, 2)
                rule = f"{half} The weights expect an error of {guess} for the vote.{gibbs}"
        return f"{what}\n{rule}\n{self._ring(step)}"

    def _ring(self, step: VotesStep) -> str:
        """Write what each way says at the picked point."""
        share = float(step.shares(self.at_ring[None])[0])
        heaviest = self.at_ring[step.heaviest]
        said = (share > 0.5, heaviest[0], self.at_ring[step.drawn])
        ways = [
            f"{way} says {_SIGNS[int(not s)]}"
            for way, s in zip(self.ways, said, strict=False)
            if step.seen or way != "MAP"
        ]
        if step.seen and heaviest.any() != heaviest.all():
            plus = int(heaviest.sum())
            ways[1] = f"{plus} of the {len(heaviest)} heaviest lines say +"
        weight = _nearly(share)
        if 0 <= 0.5 - share < _TIE:
            weight = "exactly half"
            ways[0] += " (+ needs more than half)"
        elif weight == "50 %":
            weight = f"{'more' if share > 0.5 else 'less'} than 50 %"
        return f"Picked point: + has {weight} of the weight; {', '.join(ways)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the vote at the next point after its label is known."""
        step, answers = self.steps[now], self.at_points[now]
        sign = _SIGNS[int(not self.labels[now])]
        before = float(step.weights[answers == self.labels[now]].sum())
        product, rest = (1 - self.noise) * before, self.noise * (1 - before)
        after = product / (product + rest)
        others = [
            Option(percent(each))
            for each in (before, product, 1 - after, 1.0, 1 - self.noise)
            if abs(each - after) > _APART
        ]
        text = (
            f"At the next point, {sign} has {percent(before)} of the weight. Its label is {sign}, "
            f"and {percent(self.noise)} of all labels are wrong. Which share has {sign} there then?"
        )
        reason = (
            f"{number(1 - self.noise)} · {number(before)} = {number(product)} stays for {sign}, "
            f"and {number(self.noise)} · {number(1 - before)} = {number(rest)} for the other sign. "
            f"Divided by their sum, {sign} has {percent(after)}."
        )
        x = self.X[now]
        place = (0, float(x[0]), float(x[1]))
        return question(text, Option(percent(after)), others, reason, place)


def _nearly(share: float) -> str:
    """Write a share of the weight that may be nearly all or nearly nothing."""
    if _NEARLY < share < 1:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0 < share < 1 - _NEARLY else percent(share)


def _curves(ways: Sequence[str], errors: ndarray) -> list[dict]:
    """Draw the errors of the ways as lines, in percent."""
    x = np.arange(len(errors))
    looks = ({}, {"color": _MAP}, {"color": _GIBBS})
    return [
        plane.line(
            np.column_stack([x, 100 * values]), name=name, showlegend=True,
            line={"width": 2.5, "dash": dash} | look,
        )
        for name, values, look, dash in zip(ways, errors.T, looks, DASHES, strict=False)
    ]  # fmt: skip
