"""The parts that every classifier by Bayes' rule shows: priors, the picked point, mistakes."""

from typing import TypeVar

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.bayes import Generative
from viz.core import curves, panels, plane
from viz.core.question import Question
from viz.core.question_kinds import which_point
from viz.core.scene import Figure, Plane, Run
from viz.core.show import Show
from viz.core.theme import color
from viz.core.words import number, power_of_ten

S = TypeVar("S", bound=Generative)

_LETTERS = 10  # of a class's name below a bar
_SURE = 0.02  # of a probability: a smaller lead does not count


class Bayes(Show[S]):
    """A run, its points, and the picked point."""

    def __init__(self, run: Run, data: Plane, held: ndarray, query: ndarray) -> None:
        """Name the classes, and find out whether their priors are their shares of the points.

        held : (n,) which points are held out; the others are the training points. query : (2,) the
        picked point.
        """
        super().__init__(run, data)
        self.held, self.query = held, query
        first = self.steps[0]
        self.names = [data.classes[int(label)] for label in first.classes]
        self.counted = np.allclose(first.priors, first.counts / first.counts.sum())

    def points(self, now: int) -> dict:
        """Return the points, with the held-out and the wrong ones marked."""
        wrong = self.steps[now].predict(self.data.X) != self.data.labels
        return plane.points(self.data.X, self.data.labels, wrong, held=self.held)

    def posterior(self, now: int) -> Figure:
        """Draw the probability of every class at the picked point."""
        step = self.steps[now]
        chances = step.predict_proba(self.query[None])[0].tolist()
        bars = {
            "type": "bar",
            "x": [f"class {panels.label(name, _LETTERS)}" for name in self.names],
            "y": chances,
            "text": [_percent(chance) for chance in chances],
            "textposition": "outside",
            "cliponaxis": False,
            "marker": {"color": [color(int(label)) for label in step.classes]},
            "hoverinfo": "skip",
        }
        layout = curves.panel_layout(
            xaxis={"type": "category"},
            yaxis={
                "title": {"text": "P(class | point)"},
                "range": [0, 1.2],
                "tickvals": [0, 0.5, 1],
            },
        )
        return {"data": [bars], "layout": layout}

    def priors(self, now: int) -> str:
        """Write which class is the commonest, since it wins while nothing else is known."""
        counts = self.steps[now].counts
        if not self.counted:
            shares = self.steps[now].priors
            return (
                f"Class {self.names[int(shares.argmax())]} has the largest prior. Without "
                "looking at any feature, it is the best guess everywhere."
            )
        most = int(counts.max())
        first, *equal = (
            name for name, count in zip(self.names, counts, strict=True) if count == most
        )
        if equal:
            which = (
                f"Classes {', '.join([first, *equal[:-1]])} and {equal[-1]} are equally frequent"
            )
            return f"{which}. Without looking at any feature, the first is guessed everywhere."
        points = "training points" if self.held.any() else "points"
        return (
            f"Class {first} is the commonest, with {most} of {int(counts.sum())} {points}. "
            "Without looking at any feature, it is the best guess everywhere."
        )

    def shares(self, now: int) -> str:
        """Write the share of each class."""
        counts = self.steps[now].counts
        n = int(counts.sum())
        if not self.counted:
            changed = ", ".join(
                f"π({name}) = {share:.3f} (not {count}/{n} = {count / n:.3f})"
                for name, share, count in zip(
                    self.names, self.steps[now].priors, counts, strict=True
                )
            )
            return f"Priors π as they are set: {changed}."
        listed = ", ".join(
            f"π({name}) = {count}/{n} = {count / n:.3f}"
            for name, count in zip(self.names, counts, strict=True)
        )
        return f"Priors π, the share of each class: {listed}."

    def picked_point(self, now: int, product: str) -> str:
        """Write Bayes' rule for the picked point: prior, factors and share of the likeliest class.

        product : in words, the factors that are multiplied.
        """
        step, X = self.steps[now], self.query[None]
        factors, chances = step.log_factors(X)[0], step.predict_proba(X)[0]
        joint = np.log(step.priors) + factors.sum(axis=1)
        if not np.isfinite(joint).any():
            return f"Picked point: the {product} is 0 for every class, so the priors decide."
        k = int(chances.argmax())
        prior, d = float(step.priors[k]), 4  # digits, so that the product has three
        terms = [number(prior, d), *(_power(value, d) for value in factors[k].tolist())]
        return (
            f"Picked point: class {self.names[k]} is likeliest, {_percent(float(chances[k]))}. "
            f"Its {product}: {' · '.join(terms)} = {_power(float(joint[k]))}."
        )

    def wrong(self, now: int) -> str:
        """Write how many points are on the wrong side of the borders."""
        learned, held = self.errors(now)
        n_held = int(self.held.sum())
        verb = "is" if learned == 1 else "are"
        text = f"{learned} of {len(self.held) - n_held} points {verb} on the wrong side"
        return f"{text}, and {held} of {n_held} held out" if n_held else text

    def errors(self, now: int) -> tuple[int, int]:
        """Return how many training points and how many held-out points are on the wrong side."""
        return self.steps[now].mistakes_on_both(self.data.X, self.data.labels, self.held)

    def outlines(self) -> str:
        """Write which points are on the wrong side, and whether some are held out."""
        if not self.held.any():
            return "A thick outline marks a point on the wrong side."
        return (
            "A thick outline marks a point on the wrong side. The points that are held out are "
            "drawn at random, and only count mistakes."
        )

    def changes(self, now: int, rng: Generator) -> Question | None:
        """Ask which point changes its class with the next estimate."""
        classes, X = self.steps[now].classes, self.data.X
        before, after = (step.predict_proba(X) for step in self.steps[now : now + 2])
        leads = [np.diff(np.sort(shares, axis=1)[:, -2:])[:, 0] for shares in (before, after)]
        sure = np.minimum(*leads) > _SURE
        old, new = before.argmax(axis=1), after.argmax(axis=1)

        def reason(i: int) -> str:
            was, becomes = (self.data.classes[classes[k[i]]] for k in (old, new))
            return (
                f"There, the next estimate takes the probability of class {becomes} from "
                f"{number(before[i, new[i]])} to {number(after[i, new[i]])}; it was class {was}."
            )

        text = "Which point changes its class with the next estimate?"
        return which_point(rng, self.data, text, sure & (old != new), sure & (old == new), reason)


def axes(data: Plane) -> str:
    """Write which features x and y stand for, if these have names of their own."""
    x, y = data.names
    return "" if (x, y) == ("x", "y") else f"x is {x}, y is {y}. "


def _power(logarithm: float, digits: int = 3) -> str:
    """Write e to this power, even if it is too small or large for a float."""
    if logarithm > -600 or not np.isfinite(logarithm):
        return number(float(np.exp(logarithm)), digits)
    if logarithm < -1e9:  # the digits of what is left are those of rounding
        return f"e^{number(logarithm)}"
    exponent = np.floor(logarithm / np.log(10))
    factor = np.exp(logarithm - exponent * np.log(10))
    return f"{factor:.{digits - 1}f}×{power_of_ten(int(exponent))}"


def _percent(share: float) -> str:
    if 0 < share < 5e-4:
        return "< 0.1 %"
    if 1 - 5e-4 < share < 1:
        return "> 99.9 %"
    return f"{100 * share:.1f}".removesuffix(".0") + " %"
