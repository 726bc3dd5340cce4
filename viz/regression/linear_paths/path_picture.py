"""The path as the large picture: every weight's line grows while the penalty falls."""

from dataclasses import replace

import numpy as np

from viz.core import curves, naming, panels, plane
from viz.core.scene import ANSWER, Figure, Layer, Track, View
from viz.core.theme import GREY
from viz.core.words import counted
from viz.regression.linear_paths.error_curves import NAMES
from viz.regression.linear_paths.fit import Fit
from viz.regression.linear_paths.line_names import line_name
from viz.regression.linear_paths.path_panels import PathPanels

_PLACES, _ALL = 90, 750  # of a line, and of all lines, at most
_GAP = 0.054  # of the picture's height, from name to name
_MOVED = 1.5  # gaps: a name this far from its line's end makes the smallest weights give way
_LETTER, _MARGIN = 0.026, 0.04  # of the axis without names: a letter of a name, and room beside
_LONGEST = 9  # letters of a name that are written
_AWAY = 0.03  # of the axis, from a line's end to its name
_HELD_OUT, _FOLDS = "least held-out error", "what the folds choose"
_WIDTH = 3
_LARGE, _FOLDS_HEIGHT = 1.3, 1.1  # shares of the height of the errors, and of those in folds
_CLOUD = 1.3  # share of the height of the predictions, which are no strip
_GRIP = 0.06  # of the picture's height, from its lower edge to the handle
_CLEAR = "\u2002\u2002"  # from the handle to its words
_WORDS, _OVER = 0.3, 0.13  # of the picture's width and height: these words, from the handle
_FAR = 0.45  # of the axis: from there on lines may cross these words, and there are none
_DOT, _CHANGED = 9, 15  # pixels: the dot of a weight, and of the one that enters or leaves
_TO_COME = 0.6  # opacity of how the weights go on
_TOP = 0.09  # of the picture's height, for words above the line at this step's penalty


class PathPicture:
    """The weights of a table's columns against the penalty, as far as a step has come."""

    def __init__(self, path: PathPanels, fit: Fit) -> None:
        """Thin the curve. path : the panels of the same path. fit : the points."""
        self.path, self.fit, curve = path, fit, path.curve
        count, columns = curve.weights.shape
        places = min(count, _PLACES, max(_ALL // max(columns, 1), 2))
        chosen = np.linspace(0, count - 1, places).round().astype(int)
        self.penalties, self.weights = curve.penalties[chosen], curve.weights[chosen]
        self.axis = self._axis()
        low, high = path.limits
        at = np.array([path.errors.place(now) for now in range(len(path.steps))])
        grip = np.full(len(at), low + _GRIP * (high - low))
        self.grips = np.column_stack([at, grip])[:, None]
        self.nothing = _stays_at_0(self.weights)
        drawn = np.where(self.nothing, np.nan, self.weights)
        looks = zip(drawn.T, path.colors, path.dashes, strict=True)
        self.whole = [
            plane.line(
                np.column_stack([self.penalties, column]),
                line={"width": 1.5, "color": color, "dash": dash},
                opacity=_TO_COME,
                name="how the weights go on",
                meta=ANSWER,
            )
            for column, color, dash in looks
        ]

    def views(self) -> list[View]:
        """Return the path, the errors, those of folds, the predictions, and the norm."""
        _, errors, *folds, norm = self.path.views()
        layers = [
            Layer("held-out choice", (_HELD_OUT,), on=True),
            Layer("choice of the folds", (_FOLDS,)),
        ]
        there = [self.path.curve.best is not None, self.path.errors.judged]
        kept = [layer for layer, shown in zip(layers, there, strict=True) if shown]
        fit = View("Predictions and targets", self.fit.predicted, height=_CLOUD, board=False)
        judged = [replace(view, height=_FOLDS_HEIGHT) for view in folds]
        title = "The weights while the penalty falls"
        track = Track("Penalty λ", self.grips, "x")
        picture = View(title, self.picture, track=track, board=False, layers=kept)
        return [picture, replace(errors, height=_LARGE), *judged, fit, norm]

    def picture(self, now: int) -> Figure:
        """Draw every weight down to the penalty of this step, with the name of those in use."""
        names, (low, high) = self.path.made.names, self.path.limits
        here, weights = self.path.errors.place(now), self.path.steps[now].weights
        x = plane.packed(np.maximum(self.penalties, here))
        so_far = np.where((self.penalties > here)[:, None], self.weights, weights)
        so_far[self.nothing] = np.nan
        changed, colors = getattr(self.path.steps[now], "variable", -1), self.path.colors
        axis, arrived = self.axis, now == len(self.path.steps) - 1
        to_least_squares = self.path.to_least_squares
        dashes = self.path.dashes
        traces = [*self.whole]
        traces += [
            panels.curve(
                x,
                plane.packed(so_far[:, j]),
                line={
                    "width": 2 * _WIDTH if j == changed else _WIDTH,
                    "color": colors[j],
                    "dash": dashes[j],
                },
                name=f"weight of {name}",
            )
            for j, name in enumerate(names)
        ]
        traces += [
            *self._front(now, axis["range"]),
            to_least_squares if arrived else {**to_least_squares, "x": [], "y": []},
            self._dots(now),
            *self._names(now, axis["range"]),
            *self._choices(now, axis["range"]),
        ]
        layout = curves.panel_layout(
            xaxis=axis,
            yaxis={
                "title": {"text": "weight"},
                "range": [low, high],
                "nticks": 7,
                "zeroline": True,
            },
        )
        layout["margin"] = {"l": 58, "r": 12, "t": 8, "b": 44}
        return {"data": traces, "layout": layout}

    def _axis(self) -> dict:
        """Return the axis of the penalty with room for the longest name at its end."""
        axis = self.path.errors.axis
        high, low = axis["range"][0], float(np.log10(self.path.errors.end))
        longest = min(max(len(name) for name in self.path.made.names), _LONGEST)
        room = max(_LETTER * longest + _MARGIN, NAMES)
        return axis | {"range": [high, low - room * (high - low)]}

    def _front(self, now: int, span: list[float]) -> list[dict]:
        """Draw an upright line at the penalty of this step, and words beside its handle."""
        (x, y), (low, high) = self.grips[now, 0].tolist(), self.path.limits
        far = (np.log10(x) - span[0]) / (span[1] - span[0]) > _FAR
        upright = np.array([[x, low], [x, high - _TOP * (high - low)]])
        return [
            plane.line(upright, line={"width": 1.5}, name="penalty of this step"),
            naming.words(
                np.array([x, y]), "" if far else self._at_handle(now), "middle right", size=15
            ),
        ]

    def _at_handle(self, now: int) -> str:
        """Write what the handle is for, and how many weights are at 0."""
        zero = int((~self._named(now)).sum())
        lines = ["drag λ", f"{counted(zero, 'weight')} at 0"] if zero else ["drag λ"]
        return "<br>".join(f"{_CLEAR}{words}" for words in lines)

    def _dots(self, now: int) -> dict:
        """Draw the weights of this step at the ends of their lines; those at 0 are grey.

        That of the variable that enters or leaves is large: its line may be too short to be seen.
        """
        here, weights = self.path.errors.place(now), self.path.steps[now].weights
        named = zip(self.path.colors, self._named(now), strict=True)
        changed = getattr(self.path.steps[now], "variable", -1)
        marker = {
            "size": [_CHANGED if j == changed else _DOT for j in range(len(weights))],
            "color": [color if has else GREY for color, has in named],
            "opacity": 1,
        }
        places = np.column_stack([np.full(len(weights), here), weights])
        return plane.line(places, mode="markers", marker=marker, name="weights of this step")

    def _names(self, now: int, span: list[float]) -> list[dict]:
        """Write the names of weights beside the ends of their lines, as far as there is room."""
        low, high = self.path.limits
        here, weights = self.path.errors.place(now), self.path.steps[now].weights
        at = weights.clip(low, high)
        named, heights = self._heights(now, at, _GAP * (high - low))
        # The same names in the same order at every step, so that each travels with its line.
        names = [
            line_name(name) if has else ""
            for name, has in zip(self.path.made.names, named, strict=True)
        ]
        away = here * 10 ** (_AWAY * (span[1] - span[0]))
        joins = [np.array([[here, w], [away, to]]) for w, to in zip(at, heights, strict=True)]
        texts = {
            "text": names,
            "textposition": "middle right",
            "textfont": {"size": 15, "shadow": "auto", "color": self.path.colors},
        }
        ends = np.column_stack([np.full(len(at), away), heights])
        thin = {"width": 1, "color": GREY}
        return [
            plane.line(plane.joined(joins), line=thin, name="from a line to its name"),
            plane.line(ends, mode="text", cliponaxis=False, **texts),
        ]

    def _heights(self, now: int, at: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
        """Return which weights have a name, and the heights of the names.

        Where many lines are close together, the smallest weights go without. at : the lines' ends.
        """
        named, changed = self._named(now), getattr(self.path.steps[now], "variable", -1)
        smallest = [j for j in np.argsort(np.abs(at), kind="stable").tolist() if j != changed]
        while True:
            heights = at.copy()
            if named.any():
                heights[named] = panels.spread_out(at[named], gap, *self.path.limits)
            if np.abs(heights - at).max(initial=0) <= _MOVED * gap or not smallest:
                return named, heights
            named[smallest.pop(0)] = False

    def _named(self, now: int) -> np.ndarray:
        """Return which weights are not 0, or enter or leave at this step."""
        step = self.path.steps[now]
        changed = getattr(step, "variable", -1)
        return (step.weights != 0) | (np.arange(len(step.weights)) == changed)

    def _choices(self, now: int, span: list[float]) -> list[dict]:
        """Draw an upright line at the penalty that each criterion chooses, clear of other words."""
        curve, errors = self.path.curve, self.path.errors
        held = (
            []
            if curve.best is None
            else [(float(curve.penalties[curve.best]), "least held-out error")]
        )
        folds = errors.folds
        picked = (
            [(folds.simplest, "within one SE"), (folds.best, "least in folds")]
            if errors.judged
            else []
        )
        found = [(float(folds.penalties[i]), sign) for i, sign in picked]
        return [
            self._upright(held, _HELD_OUT, now, span),
            self._upright(found, _FOLDS, now, span),
        ]

    def _foot(self, penalty: float, now: int, span: list[float]) -> float:
        """Return where an upright line begins: above the words beside the handle, if it is there.

        span : the ends of the axis.
        """
        low, high = self.path.limits
        right, here = (
            (np.log10(x) - span[0]) / (span[1] - span[0])
            for x in (penalty, float(self.grips[now, 0, 0]))
        )
        there = here < _FAR and 0 < right - here < _WORDS
        return low + _OVER * (high - low) * there

    def _upright(
        self, chosen: list[tuple[float, str]], name: str, now: int, span: list[float]
    ) -> dict:
        """Draw upright lines at penalties, with a word on top of each."""
        low, high = self.path.limits
        tops = [high - (0.06 + 0.05 * i) * (high - low) for i in range(len(chosen))]
        ends = [
            np.array([[penalty, self._foot(penalty, now, span)], [penalty, top]])
            for (penalty, _), top in zip(chosen, tops, strict=True)
        ]
        return plane.line(
            plane.joined(ends),
            mode="lines+text",
            line={"width": 1.5, "dash": "dash", "color": GREY},
            text=[text for _, word in chosen for text in ("", word, "")] or [""],
            textposition="top center",
            textfont={"size": 15, "color": GREY, "shadow": "auto"},
            name=name,
            meta=ANSWER,
        )


def _stays_at_0(weights: np.ndarray) -> np.ndarray:
    """Return where a weight is 0, and was 0 just before and is 0 just after: no line is drawn."""
    zero = np.pad(weights == 0, ((1, 1), (0, 0)), constant_values=True)
    return zero[:-2] & zero[1:-1] & zero[2:]
