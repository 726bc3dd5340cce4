"""The search over two settings, trial by trial: the map, the choice, and what it is worth."""

from collections.abc import Callable

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.networks.multilayer_perceptron.best_of_trials import BestOfTrials
from algorithms.networks.multilayer_perceptron.settings_search import (
    LOWEST,
    MOST_UNITS,
    RATIO,
    Plan,
    SearchStep,
)
from viz.core import curves, panels, plane
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Plane, Run, View
from viz.core.settings_map import Places, SettingsMap, axis, mark
from viz.core.show import Show
from viz.core.words import counted, number
from viz.networks.multilayer_perceptron.regions import areas, found

_SMALL = 0.55  # of the usual diameter: a test point
_CELLS = (11, 9), 9  # of a random search: this many cells would fill the map; dots of each
# Settings that the axes name.
_RATES = (0.01, 0.1, 1.0, 10.0)
_UNITS = (1, 2, 4, 8, 16)


class SettingsSearch(Show[SearchStep]):
    """Regions of a network, the map of all trials, the best of m, and the errors by setting."""

    unit = "trial"
    counts_from = 1

    def __init__(
        self, run: Run, data: Plane, part: ndarray, plan: Plan, best: BestOfTrials, newest: bool
    ) -> None:
        """Lay out the map.

        part : (n,) 0 for a point to learn from, 1 for a validation point, 2 for a test point.
        newest : the picture is of the newest network, not of the best so far.
        """
        super().__init__(run, data)
        self.end, self.best, self.newest = self.steps[-1], best, newest
        self.opens = self.end.best
        self.features, self.held, self.plan = self.end.features, part > 0, plan
        self.columns = self.features(data.X)
        self.size = np.where(part == 2, _SMALL, 1.0)
        self.rates, self.units = self.end.rates, self.end.units
        self.map = self._map()
        learn, judge, test = (counted(int((part == k).sum()), "point") for k in range(3))
        self.note = (
            f"{preprocessing(self.features, data.names)} {learn} to learn from, {judge} to judge "
            f"(validation, with a hole), and {test} for the test (smaller), which the search "
            "never sees. Every network has one hidden layer of tanh units and a start of its own, "
            "and learns from all its points in every epoch. In the average over the best of any m "
            "trials, trials that tie count alike."
        )

    def views(self) -> list[View]:
        """Return the picture, the map, the best of m, and the errors by setting."""
        return [
            View("What the network predicts at every place", self.picture),
            View(f"Validation points wrong, of {self.end.judges} (square: fewest)", self.errors),
            View("Error of the best of m trials (lines: average)", self.best_of_m(), ahead=True),
            View("Validation error by each setting alone", self.by_setting()),
        ]

    def picture(self, now: int) -> Figure:
        """Draw what the newest network predicts, or the best so far."""
        data, step = self.data, self.steps[now]
        network = step.networks[self._shown(now)]
        wrong = network.predict(self.columns) != data.labels
        points = plane.points(data.X, data.labels, wrong, size=self.size, held=self.held)
        signs = {"size": "small: a test point, which the search never sees"}
        traces = areas(data, self.features, network)
        return plane.figure(
            traces, data.bounds, data.names, points=points, signs=signs, classes=data.classes
        )

    def errors(self, now: int) -> Figure:
        """Draw the map of the trials so far."""
        step = self.steps[now]
        marks = [
            mark(self.map.places.at[step.best].tolist(), "square-open", "best so far"),
            mark(self.map.places.at[now].tolist(), "circle-open", "newest trial"),
        ]
        return self.map.draw(now + 1, marks)

    def best_of_m(self) -> Callable[[int], Figure]:
        """Draw the errors of the best of m trials: means over all sets of m of them."""
        best, m = self.best, np.arange(1.0, len(self.steps) + 1)
        rings = [("validation", self.end.wrong / self.end.judges, best.validation, "solid")]
        if best.test is not None and best.wrong is not None:
            rings.append(("test", best.wrong / best.n, best.test, "dash"))
        lines = [
            panels.curve(
                plane.packed(m), plane.packed(values), name=name, showlegend=True,
                line={"width": 2.5, "dash": dash},
            )
            for name, _, values, dash in rings
        ]  # fmt: skip
        chosen = [step.best for step in self.steps]
        top = max(*(float(values.max()) for _, _, values, _ in rings), 0.05)
        top = max(top, *(float(each[chosen].max()) for _, each, _, _ in rings))
        x, y = panels.axis("trials m", 1, len(m)), panels.axis("error", 0, top)

        def at(now: int) -> Figure:
            looks = {"solid": curves.DOT, "dash": curves.HOLLOW}
            marks = [
                curves.marked(
                    now + 1, float(each[chosen[now]]), marker=looks[dash],
                    name="this search", showlegend=dash == "solid",
                )
                for _, each, _, dash in rings
            ]  # fmt: skip
            return curves.with_legend(panels.alone(Panel([*lines, *marks], x, y)))

        return at

    def by_setting(self) -> Callable[[int], Figure]:
        """Draw the validation error of the trials so far, by learning rate and by units."""
        error = self.end.wrong / self.end.judges
        y = panels.axis("error", 0, float(error.max()) or 1.0)
        ends = np.log10([LOWEST, LOWEST * RATIO])
        rate = panels.axis("learning rate η", *ends) | curves.powers(*ends)
        unit = panels.axis("hidden units", 0, np.log10(MOST_UNITS)) | {
            "type": "log",
            "tickvals": list(_UNITS),
            "ticktext": [str(h) for h in _UNITS],
        }
        look = {"mode": "markers", "marker": {"size": 7}, "name": "trial"}

        def at(now: int) -> Figure:
            heights = plane.packed(np.where(np.arange(len(error)) <= now, error, np.nan))
            panel = [
                Panel(
                    [
                        panels.curve(plane.packed(values.astype(float)), heights, **look),
                        curves.marked(float(values[now]), float(error[now])),
                    ],
                    x,
                    y,
                )
                for values, x in ((self.rates, rate), (self.units, unit))
            ]
            return panels.side_by_side(*panel)

        return at

    def caption(self, now: int) -> str:
        """Write what the trial gets wrong, which one is chosen, and how many values were tried."""
        step = self.steps[now]
        m, w = now + 1, int(step.wrong[now])
        fewest = int(step.wrong[step.best])
        least = ", the fewest so far" if step.event else f"; the best so far gets {fewest} wrong"
        rates, units = (len(np.unique(each)) for each in (step.rates, step.units))
        tried = f"{counted(rates, 'learning rate')} and {counted(units, 'number')} of units"
        E = f"{fewest} of {step.judges} wrong, {number(step.error)}"
        return (
            f"Trial {m}: with {self._named(now)} the network gets {w} of {step.judges} validation "
            f"points wrong{least}.\n"
            f"The choice is trial {step.best + 1}, with {self._named(step.best)}: {E}. "
            f"Tried so far: {tried}."
        )

    def answer(self, now: int) -> str:
        """Write what the choice gets wrong on the test points."""
        best, chosen = self.best, self.steps[now].best
        if best.wrong is None:
            return ""
        T = int(best.wrong[chosen])
        return f"\nTrial {chosen + 1} gets {T} of {best.n} test points wrong, {number(T / best.n)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next trial is the best so far, or where a better one takes the test."""
        before, after = self.steps[now], self.steps[now + 1]
        if after.event and self.best.wrong is not None and rng.random() < 0.5:
            return self._test_error(before.best, now + 1)
        w, fewest = int(after.wrong[-1]), int(before.wrong.min())
        x, y = self.map.places.at[now + 1].tolist()
        yes, no = Option("yes, fewer: it is the new best"), Option("no, as many or more")
        right, wrong = (yes, no) if after.event else (no, yes)
        return question(
            f"The next trial has {self._named(now + 1)}. Does it get fewer validation points wrong "
            f"than the best so far, which gets {fewest} wrong?",
            right, [wrong], f"It gets {w} of {after.judges} wrong.", (1, x, y),
        )  # fmt: skip

    def found(self, now: int) -> Regions:
        """Return the class of every cell of the picture."""
        return found(self.data, self.features, self.steps[now].networks[self._shown(now)])

    def _test_error(self, old: int, new: int) -> Question | None:
        """Ask what the choice of a better trial does to the test error."""
        assert self.best.wrong is not None
        was, is_now = (int(self.best.wrong[m]) for m in (old, new))
        ways = [Option("it falls"), Option("it stays the same"), Option("it rises")]
        right = ways.pop(1 + int(np.sign(is_now - was)))
        return question(
            f"The next trial, with {self._named(new)}, is the best so far on the validation "
            "points. What does the error of the choice do on the test points?",
            right, ways, f"It goes from {was} to {is_now} wrong of {self.best.n}.",
        )  # fmt: skip

    def _shown(self, now: int) -> int:
        """Return the trial whose network the picture shows."""
        return now if self.newest else self.steps[now].best

    def _named(self, m: int) -> str:
        """Write the settings of a trial."""
        units = counted(int(self.units[m]), "hidden unit")
        return f"η = {number(float(self.rates[m]))} and {units}"

    def _map(self) -> SettingsMap:
        """Lay out the map: a grid by its rows and columns, random settings where they are."""
        k = round(len(self.rates) ** 0.5)
        if self.plan == "grid":
            m = np.arange(k**2)
            places = Places(np.column_stack([m % k, m // k]), (k, k))
            rates, units = self.rates[:k], self.units[::k]
            ticks = np.arange(k), np.arange(k)
        else:
            (columns, rows), dots = _CELLS
            at = _along(self.rates / LOWEST, RATIO, k), _along(self.units, MOST_UNITS, k)
            cell = k / columns, k / rows
            places = Places(np.column_stack(at), (k, k), cell, dots)
            rates, units = np.array(_RATES), np.array(_UNITS)
            ticks = _along(rates / LOWEST, RATIO, k), _along(units, MOST_UNITS, k)
        x = axis("learning rate η", k, ticks[0].tolist(), [number(r, 2) for r in rates.tolist()])
        y = axis("hidden units", k, ticks[1].tolist(), [str(h) for h in units.tolist()])
        names = [f"trial {m + 1}: {self._named(m)}" for m in range(k**2)]
        return SettingsMap(places, self.end.wrong, names, "Validation errors", x, y)


def _along(ratio: ndarray, most: float, k: int) -> ndarray:
    """Return the places on an axis of k columns that is logarithmic from 1 to `most`."""
    return np.log(ratio) / np.log(most) * (k - 1)
