"""Naive Bayes on binned features: tables of frequencies in place of curves."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.categorical_naive_bayes import (
    CategoricalNaiveBayesStep,
)
from viz.classification.gaussian_discriminant.bayes import Bayes, axes
from viz.classification.gaussian_discriminant.bins import (
    CELLS,
    bins_of,
    errors,
    grid_lines,
    parameters,
    staircase,
    stairs,
)
from viz.classification.gaussian_discriminant.class_curves import look, over_features, picked
from viz.classification.gaussian_discriminant.gaussians import NUMBERS
from viz.core import plane
from viz.core.found import Regions
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import AT_THE_END
from viz.core.theme import GREY
from viz.core.words import number

Step = CategoricalNaiveBayesStep

_BINS = "prior times the probabilities of both bins"
_FEW = 3  # classes that a sentence has room for


class Binned(Bayes[Step]):
    """One table after the other, then the stepped border."""

    opens = AT_THE_END

    def __init__(
        self,
        run: Run,
        data: Plane,
        held: ndarray,
        query: ndarray,
        mistakes: ndarray,
        estimate: str,
        strength: float,
    ) -> None:
        """Compute what is the same at all steps. held, query : see `Bayes`.

        mistakes : by number of bins. estimate, strength : of the smoothing.
        """
        super().__init__(run, data, held, query)
        self.mistakes, self.estimate, self.strength = mistakes, estimate, strength
        self.asks = self.steps[0].model == "bernoulli"  # a feature is a question with yes or no
        self.note = f"{axes(data)}{self.outlines()}"

    def views(self) -> list[View]:
        """Return the regions, the tables, the mistakes by bins, and the numbers to estimate."""
        k, n_features, values = self.steps[0].tables.shape
        sizes = int((~self.held).sum()), int(self.held.sum())
        by_bins = errors(self.mistakes, sizes, self.steps[0].edges.shape[1] + 1)
        numbers = parameters(k, n_features, values)
        title = "P(yes | class) at every edge" if self.asks else "P(bin | class) of each feature"
        return [
            View("Regions in steps, and the points", self.picture),
            View(title, self.tables),
            View("Wrong points by number of bins", lambda _: by_bins),
            View(NUMBERS, lambda _: numbers),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the regions, which follow the bins, the edges of the bins, and the points."""
        data, step, bounds = self.data, self.steps[now], self.data.bounds
        (across, column), (up, row) = self._bins(now)
        proba = self._chances(now)
        winner, certain = step.classes[proba.argmax(axis=0)], proba.max(axis=0)
        certain, spread = plane.certainty(certain, len(proba)), np.ix_(row, column)
        dotted = {"width": 1, "dash": "dot", "color": GREY}
        traces = [
            plane.regions(winner[spread], certain[spread], bounds),
            plane.line(grid_lines(step.edges, bounds), line=dotted, name="edge of a bin"),
            plane.line(
                stairs(winner, across, up, step.edges, bounds), line={"width": 3}, name="border"
            ),
        ]
        return plane.figure(
            traces, bounds, data.names, points=self.points(now), classes=data.classes
        )

    def found(self, now: int) -> Regions:
        """Return the most probable class of every cell of the picture."""
        (_, column), (_, row) = self._bins(now)
        winner = self.steps[now].classes[self._chances(now).argmax(axis=0)]
        return Regions(winner[np.ix_(row, column)])

    def _bins(self, now: int) -> list[tuple[ndarray, ndarray]]:
        """Return, for both axes, a place in every bin and the bin of every cell."""
        axes = plane.grid(self.data.bounds, CELLS)[:2]
        pairs = zip(self.steps[now].edges, axes, strict=False)
        return [bins_of(edges, cells) for edges, cells in pairs]

    def _chances(self, now: int) -> ndarray:
        """Return the classes' probabilities for each pair of bins, which all its points share."""
        (across, _), (up, _) = self._bins(now)
        corners = np.column_stack([np.tile(across, len(up)), np.repeat(up, len(across))])
        return self.steps[now].predict_proba(corners).T.reshape(-1, len(up), len(across))

    def tables(self, now: int) -> Figure:
        """Draw P(value | class) of both columns: by bin, or at every edge that is asked about.

        Marks on the bins show the values of the picked point; it answers yes to the edges on its
        left.
        """
        data, step, final = self.data, self.steps[now], self.steps[-1].tables
        top = float(final[..., -1].max() if self.asks else final.max())
        heights = np.zeros((0, 2))
        if not self.asks:
            heights = np.exp(step.log_factors(self.query[None])[0])
        first, second = (
            [
                *(
                    staircase(step, column, k, data.bounds) | look(int(label), data)
                    for k, label in enumerate(step.classes)
                ),
                *picked(float(self.query[column]), heights[:, column], step.classes, top),
            ]
            for column in (0, 1)
        )
        return over_features(first, second, data, (top, top))

    def caption(self, now: int) -> str:
        """Write what the step counted, its numbers in the estimate, and the picked point."""
        step = self.steps[now]
        if step.phase == "priors":
            text = (
                f"{self.priors(now)}\n{self.shares(now)} The dotted lines cut each axis into bins "
                "of equal width."
            )
        elif step.phase == "surface":
            text = (
                f"All features together make a border of steps; {self.wrong(now)}.\n"
                "Only a point's bins count: each class has its prior, times a factor per feature."
            )
            if self.strength and not self.asks:
                text += " In an empty bin, smoothing gives a small class a larger factor."
        else:
            text = f"{self._plainly(step)}\n{self._rule(step, self.names[0])}"
        product = "prior times its answers about x and about y" if self.asks else _BINS
        return f"{text}\n{self.picked_point(now, product)}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask in which class a value is most probable, or which point changes its class."""
        if rng.random() < 0.5:
            return self._likeliest(rng, self.steps[now + 1]) or self.changes(now, rng)
        return self.changes(now, rng) or self._likeliest(rng, self.steps[now + 1])

    def _likeliest(self, rng: Generator, after: Step) -> Question | None:
        """Ask for the class with the largest entry in a column of the next table."""
        if after.index is None:
            return None
        names = self.names
        value = 1 if self.asks else int(rng.integers(after.tables.shape[2]))
        chances = after.tables[:, after.index, value].tolist()
        if self.asks:
            column, edge = divmod(after.index, after.edges.shape[1])
            what = f"that {self.data.names[column]} > {number(after.edges[column, edge])}"
        else:
            what = f"bin {value + 1} of {self.data.names[after.index]}, counted from the lowest,"

        def reason(first: int, second: int) -> str:
            return (
                f"Its probability is {number(chances[first])} in class {names[first]}, and "
                f"{number(chances[second])} in class {names[second]}."
            )

        text = f"In which class is {what} most probable?"
        return which_most(text, [Option(f"in class {name}") for name in names], chances, reason)

    def _plainly(self, step: Step) -> str:
        """Write in one sentence what the new table shows about the classes."""
        table, counts = (of[:, step.index or 0] for of in (step.tables, step.value_counts))
        if step.event:
            never = [
                f"class {name} is never {self._value(int(row.argmin()))}"
                for name, row in zip(self.names, table, strict=True)
                if not row.all()
            ]
            return (
                f"{self._counted(step)}: {_listed(never)}. A value that was never seen has "
                "probability 0, whatever else is known."
            )
        if self.asks:
            said = [
                f"{row[1]} of {row.sum()} points of class {name} answer yes"
                for name, row in zip(self.names, counts, strict=True)
            ]
        else:
            said = [
                f"class {name} is most often {self._value(int(row.argmax()))}"
                for name, row in zip(self.names, counts, strict=True)
            ]
        return f"{self._counted(step)}: {_listed(said)}."

    def _value(self, value: int) -> str:
        return ("a no", "a yes")[value] if self.asks else f"in bin {value + 1}"

    def _counted(self, step: Step) -> str:
        """Return the name of the feature that the step counted."""
        feature = step.index or 0
        if not self.asks:
            return f"Feature {'xy'[feature]} is counted"
        column, edge = divmod(feature, step.edges.shape[1])
        where = number(step.edges[column, edge])
        return f"Question {feature + 1} of {step.tables.shape[1]}, is {'xy'[column]} > {where}"

    def _rule(self, step: Step, name: str) -> str:
        """Write the estimate of the commonest value in the first class, with its counts."""
        feature, strength = step.index or 0, self.strength
        counts, table = step.value_counts[:, feature], step.tables[:, feature]
        spot = 1 if self.asks else int(counts[0].argmax())
        count, total, size = counts[0, spot], counts[0].sum(), counts.shape[1]
        if self.estimate == "laplace":
            rule = f"({count} + {strength:g}) / ({total} + {strength:g}·{size})"
        else:
            share = (counts[:, spot].sum() + 1) / (counts.sum() + size)
            rule = f"({count} + {strength:g}·{share:.3f}) / ({total} + {strength:g})"
        if self.asks:
            what, where = f"{count} of {total} points of class {name} answer yes", "yes"
        else:
            bins = ", ".join(map(str, counts[0]))
            what = f"Class {name} has {bins} of its {total} points in the bins"
            where = f"bin {spot + 1}"
        return f"{what}: P({where} | {name}) = {rule} = {table[0, spot]:.3f}."


def _listed(parts: list[str]) -> str:
    return ", ".join(parts[:_FEW]) + (", ..." if len(parts) > _FEW else "")
