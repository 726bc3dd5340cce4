"""The shared parts of discriminant analysis and Gaussian naive Bayes: regions, borders."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.compare_covariances import n_parameters
from algorithms.classification.gaussian_discriminant.gaussian_classes import Surface
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import (
    COVARIANCES,
    GaussianDiscriminantStep,
)
from algorithms.classification.gaussian_discriminant.naive_bayes import GaussianNaiveBayesStep
from viz.classification.gaussian_discriminant.bayes import Bayes, axes
from viz.classification.gaussian_discriminant.class_curves import growth
from viz.core import naming, plane
from viz.core.found import Regions
from viz.core.question import Question
from viz.core.scene import Bounds, Figure, Plane, Run, View
from viz.core.soft_groups import outlines
from viz.core.theme import GREY, color
from viz.core.words import listed, number

REACH = 2.0  # standard deviations, from the mean of a class to its ellipse
_CORNERS = 49  # of an ellipse
_PALE = 0.49  # the shade where a class is certain, so that points stand out from it
_EQUATIONS = "Where two classes are equally probable"
_ARTICLES = {"ellipse": "an ellipse", "hyperbola": "a hyperbola", "parabola": "a parabola"}
_SHAPES = {
    "shared": "With one shape for all classes",
    "separate": "With a shape of its own for each class",
    "diagonal": "With independent features in each class (upright ellipses)",
}
NUMBERS = "Numbers to estimate with d features"
MOST_FEATURES = 20  # on the axis of the number of parameters

S = TypeVar("S", GaussianDiscriminantStep, GaussianNaiveBayesStep)

Mistakes = Mapping[str, tuple[int, int]]
"""By kind of covariance: the mistakes on the training points and on the held-out points."""


class Gaussians(Bayes[S]):
    """A Gaussian for every class: regions, means, ellipses, borders, and numbers to estimate.

    slider : the name of the parameter that makes a singular covariance regular. product : the
    factors that Bayes' rule multiplies.
    """

    slider: str
    product: str

    def __init__(
        self,
        run: Run,
        data: Plane,
        held: ndarray,
        query: ndarray,
        mistakes: Mistakes,
        covariance: str = "diagonal",
        ridge: float = 0.0,
    ) -> None:
        """Write the comparison of the kinds of covariance. held, query : see `Bayes`."""
        super().__init__(run, data, held, query)
        self.covariance, self.ridge = covariance, ridge
        self.mistakes = mistakes
        self.opens = self.opening()
        if equations := self._equations():
            self.details = [(_EQUATIONS, equations)]
        self.note = f"{axes(data)}Both features are used as they are. {self.outlines()}"

    def opening(self) -> int:
        """Return the step with the border between the two likeliest classes at the picked point."""
        last = self.steps[-1]
        likeliest = set(last.predict_proba(self.query[None])[0].argsort()[-2:].tolist())
        pairs = [set(step.pair or ()) for step in self.steps]
        return pairs.index(likeliest) if likeliest in pairs else len(pairs) - 1

    def views(self) -> list[View]:
        """Return the picture, the densities, the picked point, and the numbers of parameters."""
        title, draw = self.densities()
        d = range(1, MOST_FEATURES + 1)
        k = len(self.names)
        counts = {kind: [n_parameters(kind, m, k) for m in d] for kind in COVARIANCES}
        numbers = growth(counts, chosen=self.covariance, here=2)
        return [
            View("Regions, means and ellipses; thick: the border of two classes", self.picture),
            View(title, draw, height=1.4),
            View("The picked point: how probable each class is", self.posterior),
            View(NUMBERS, lambda _: numbers),
        ]

    @abstractmethod
    def densities(self) -> tuple[str, Callable[[int], Figure]]:
        """Return the title and the figures of the view of the densities."""

    def picture(self, now: int) -> Figure:
        """Draw regions and borders, each class's mean and ellipse, and the surface of a pair."""
        data = self.data
        winner, certain, borders = _regions(self._model(now), data.bounds)
        traces = [plane.regions(winner, _PALE * certain, data.bounds), borders, self._pair(now)]
        traces += [*self._outlines(now), self._means(now)]
        key = f"ellipse: {REACH:g} standard deviations"
        traces.append(naming.in_corner(key, data.bounds))
        return plane.figure(
            traces, data.bounds, data.names, points=self.points(now), classes=data.classes
        )

    def found(self, now: int) -> Regions:
        """Return the most probable class of every cell of the picture."""
        return Regions(_regions(self._model(now), self.data.bounds)[0])

    def _model(self, now: int) -> S:
        """Return the first step that predicts the same; all steps that show borders do."""
        step = self.steps[now]
        return next(s for s in self.steps if s.means is step.means and s.roots is step.roots)

    def _pair(self, now: int) -> dict:
        """Draw the whole surface between the pair of classes in the caption, or nothing."""
        name = "the whole surface where the two classes are equally probable"
        step, style = self.steps[now], {"line": {"width": 3.5}, "name": name}
        if step.pair is None:
            return plane.line(plane.GAP, **style)
        x, y, cells = plane.grid(self.data.bounds)
        odds = step.surface(*step.pair)(cells).reshape(len(y), len(x))
        return plane.borders(x, y, np.stack([odds, -odds]), **style)

    def _outlines(self, now: int) -> list[dict]:
        """Draw a contour of each class's density; that of a singular covariance is flat."""
        step = self.steps[now]
        name = f"contour of a class's density: {REACH:g} standard deviations from its mean"
        paths = outlines(step.means, step.covariances, (REACH,), _CORNERS)
        return [
            plane.line(path, line={"width": 2.5, "color": hue}, name=name)
            for path, hue in zip(paths, self._colors(now), strict=True)
        ]

    def _means(self, now: int) -> dict:
        means = self.steps[now].means
        return {
            "type": "scatter",
            "name": "mean of a class",
            "mode": "markers",
            "x": means[:, 0].tolist(),
            "y": means[:, 1].tolist(),
            "marker": {
                "size": 17,
                "symbol": "cross",
                "color": self._colors(now),
                "line": {"width": 2, "color": "#ffffff"},
            },
            "hoverinfo": "skip",
            "showlegend": False,
        }

    def _colors(self, now: int) -> list[str]:
        """Return the colours of the classes; grey while only the priors are known."""
        step = self.steps[now]
        return [GREY if step.phase == "priors" else color(int(label)) for label in step.classes]

    def caption(self, now: int) -> str:
        """Write what the step estimated, its numbers in the rule, and the picked point."""
        step = self.steps[now]
        if step.phase == "priors":
            text = (
                f"{self.priors(now)}\n{self.shares(now)} Until more is known, every class has the "
                "mean and the spread of all points, so the densities cancel."
            )
        elif step.phase != "surface":
            text = self.estimate(now)
        elif step.pair is None:
            text = self._no_surface(now)
        else:
            text = self._surface(now, step.pair)
        return f"{text}\n{self.picked_point(now, self.product)}"

    @abstractmethod
    def estimate(self, now: int) -> str:
        """Write what was estimated, and its numbers in the rule."""

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which point changes its class, or about the estimate that comes next."""
        if rng.random() < 0.5:
            return self.about(self.steps[now + 1]) or self.changes(now, rng)
        return self.changes(now, rng) or self.about(self.steps[now + 1])

    @abstractmethod
    def about(self, after: S) -> Question | None:
        """Ask about the estimate that comes next."""

    def _no_surface(self, now: int) -> str:
        """Write which classes have no density."""
        without = [self.names[k] for k in np.flatnonzero(self.steps[now].singular)]
        which = "class" if len(without) == 1 else "classes"
        return (
            f"No border can be written down: there is no density of {which} {listed(without)}.\n"
            f"A larger {self.slider} repairs this. Until then the spread of all points stands in: "
            f"{self.wrong(now)}."
        )

    def _surface(self, now: int, pair: tuple[int, int]) -> str:
        """Write where two classes are equally probable; at the last step, first the mistakes."""
        first, second = (self.names[k] for k in pair)
        surface = self.steps[now].surface(*pair)
        both, kind = f"Classes {first} and {second}", surface.kind
        inside = f" round class {self._inside(surface, pair)}" if kind == "ellipse" else ""
        diagonal = self.covariance == "diagonal"
        squares = "x² and y²" if diagonal else "x², xy and y²"
        squares += " cancel" if kind == "line" else " remain"
        last = now == len(self.steps) - 1
        shape = ""
        if kind in _ARTICLES:
            shape = f": {_ARTICLES[kind]}{inside if last else ''}{self._end(surface)}"
        spread = "get the same spread" if kind == "line" else "differ in spread"
        border = f"their border (thick) {'is straight' if kind == 'line' else 'bends'}"
        nowhere = f"{both} have no border: one of the two wins everywhere"
        if last:  # one line, because the answer follows
            known = f"{squares} in the equation{' (no xy)' if diagonal else ''}"
            said = f"{both} {spread}, so {known} and {border}{shape}"
            if kind == "nowhere":
                said = f"{nowhere}, and {known}"
            return f"{self.conclusion(now)}.\n{said}."
        where = nowhere if kind == "nowhere" else f"{both} {spread}, so {border}{inside}"
        rule = squares + "; independent features give no xy" * diagonal + shape
        return f"{where}.\nIn the border's equation, {rule}. In all, {self.wrong(now)}."

    def conclusion(self, now: int) -> str:
        """Write how many points the borders of this kind of covariance get wrong."""
        return f"{_SHAPES[self.covariance]}, {self.wrong(now)}"

    def _inside(self, surface: Surface, pair: tuple[int, int]) -> str:
        """Return the name of the class that is more probable inside an ellipse."""
        (odds,) = surface(surface.box().mean(axis=1)[None])
        return self.names[pair[0] if odds > 0 else pair[1]]

    def _end(self, surface: Surface) -> str:
        """Write where an ellipse closes, if it is open in the picture."""
        if surface.kind != "ellipse":
            return ""
        (left, right), (low, high) = surface.box()
        box = self.data.bounds
        closed = box[0] < left and right < box[1] and box[2] < low and high < box[3]
        if closed:
            return ""
        beyond = [box[0] - left, right - box[1], box[2] - low, high - box[3]]
        sizes = np.repeat([box[1] - box[0], box[3] - box[2]], 2)
        k = int((beyond / sizes).argmax())
        name, end = self.data.names[k // 2], (left, right, low, high)[k]
        return f" that closes only at {name} = {number(float(end))}"

    def _equations(self) -> str:
        """Write where both classes of every pair that has a step are equally probable."""
        lines = []
        for step in self.steps:
            if step.pair:
                first, second = (self.names[k] for k in step.pair)
                terms = equation(step.surface(*step.pair))
                lines.append(f"classes {first} and {second}: {terms} = 0")
        return "\n".join(lines)

    def answer(self, now: int) -> str:
        """Write, at the last step, the errors of each kind of covariance on these points."""
        if now < len(self.steps) - 1:
            return ""
        if len(set(self.mistakes.values())) == 1:
            return "All kinds of covariance make equally many errors."
        if not self.held.any():
            kinds = [f"{kind} {learned}" for kind, (learned, _) in self.mistakes.items()]
            return f"Wrong: {', '.join(kinds)}."
        kinds = [f"{kind} {learned} ({held})" for kind, (learned, held) in self.mistakes.items()]
        return f"Wrong (held out): {', '.join(kinds)}."


@lru_cache(maxsize=32)
def _regions(
    model: GaussianDiscriminantStep | GaussianNaiveBayesStep, bounds: Bounds
) -> tuple[ndarray, ndarray, dict]:
    """Return the most probable class of every cell, how certain that is, and the borders."""
    x, y, cells = plane.grid(bounds)
    proba = np.ascontiguousarray(model.predict_proba(cells).T).reshape(-1, len(y), len(x))
    certain = plane.certainty(np.maximum.reduce(proba), len(proba))
    # Scores, since probabilities far from the data are 0 or 1 and hardly tell where they cross.
    scores = np.ascontiguousarray(model.scores(cells).T).reshape(proba.shape)
    borders = plane.borders(x, y, scores, line={"width": 1.5})
    return model.classes[proba.argmax(axis=0)], certain, borders


def equation(surface: Surface) -> str:
    """Write x^T A x + b.x + c with its numbers; terms that are 0 are left out."""
    A, b = surface.quadratic, surface.linear
    terms = [
        (A[0, 0], "x²"),
        (A[0, 1] + A[1, 0], "xy"),
        (A[1, 1], "y²"),
        (b[0], "x"),
        (b[1], "y"),
        (surface.constant, ""),
    ]
    shown = [
        f"{'−' if value < 0 else '+'} {number(abs(value))}{'' if not term else f' {term}'}"
        for value, term in terms
        if value
    ]
    return " ".join(shown).removeprefix("+ ") or "0"
