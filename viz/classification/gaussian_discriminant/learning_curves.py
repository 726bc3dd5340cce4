"""Learning curves: the error of three kinds of covariance against the training points."""

import numpy as np
from numpy.random import Generator

from algorithms.classification.gaussian_discriminant.compare_covariances import n_parameters
from algorithms.classification.gaussian_discriminant.gaussian_discriminant import COVARIANCES
from algorithms.classification.gaussian_discriminant.learning_curves import LearningCurvesStep
from viz.classification.gaussian_discriminant.bayes import axes
from viz.core import curves, naming, panels, plane
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.question import Option, Question
from viz.core.question_kinds import rises_or_falls, which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.words import counted, listed, number

NAMES = ["diagonal (naive)" if kind == "diagonal" else kind for kind in COVARIANCES]
NAIVE = COVARIANCES.index("diagonal")
_SIDES = ("middle right", "middle left", "top center", "bottom center")  # of a border
_APART = 0.1  # of the picture: a name is at a part of its border this far from the others
_FAINT, _SMALL, _LARGE = 0.4, 0.75, 1.4  # held-out points, and the few that are learned from
_DASHES = ["dash", "dot", "solid"]  # of the kinds; naive Bayes, whose classes are shown, is solid


class LearningCurves(Show[LearningCurvesStep]):
    """Training sets of growing size."""

    def __init__(self, run: Run, data: Plane) -> None:
        """Write what the picture shows, and how many numbers each kind estimates."""
        super().__init__(run, data)
        k = len(self.steps[0].models[0].classes)
        kinds = ", ".join(f"{kind} {n_parameters(kind, 2, k)}" for kind in COVARIANCES)
        self.note = (
            f"{axes(data)}The picture shows the first draw. "
            "The colours are the classes that naive Bayes "
            "(diagonal) predicts. Numbers "
            f"estimated, priors aside: {kinds}."
        )

    def views(self) -> list[View]:
        """Return the borders, and the error against the number of points."""
        return [
            View("Borders from a few training points", self.picture),
            View(
                "Held-out error by number of training points", self.errors,
                ahead="by step", at=[step.size for step in self.steps],
            ),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw the models of one training set: the regions of the naive one, the borders of all."""
        data, step = self.data, self.steps[now]
        x, y, cells = plane.grid(data.bounds)
        borders = []
        for place, model in enumerate(step.models):
            scores = model.scores(cells).T.reshape(-1, len(y), len(x))
            stroke = {"width": 3.5 if place == NAIVE else 2}
            look = stroke | {"dash": _DASHES[place]}
            borders.append(plane.borders(x, y, scores, line=look, name=f"border: {NAMES[place]}"))
        held = np.ones(len(data.X), bool)
        held[step.learned] = False
        wrong = step.models[NAIVE].predict(data.X) != data.labels
        return plane.figure(
            [
                plane.regions(self.found(now).classes, None, data.bounds),
                *borders,
                *self._names(borders),
            ],
            data.bounds,
            data.names,
            points=plane.points(
                data.X,
                data.labels,
                wrong,
                held=held,
                size=np.where(held, _SMALL, _LARGE),
                strength=np.where(held, _FAINT, 1.0),
            ),
            signs={
                "wrong": "wrong by naive Bayes",
                "size": "large: a training point",
                "strength": "faint and small: held out",
            },
            classes=data.classes,
        )

    def _names(self, borders: list[dict]) -> list[dict]:
        """Write their names beside the borders, where there is room."""
        names, (left, right, *_) = [], self.data.bounds
        paths = [
            naming.along(np.column_stack([plane.unpacked(border[axis]) for axis in "xy"]))
            for border in borders
        ]
        for place, path in enumerate(paths):
            others = np.concatenate(paths[:place] + paths[place + 1 :])
            at = path[::5]
            apart = np.hypot(*(at[:, None] - others).transpose(2, 0, 1)).min(axis=1, initial=np.inf)
            order = np.argsort(-apart.clip(max=_APART * (right - left)), kind="stable")
            where = [(each, side) for each in at[order] for side in _SIDES]
            names.append(naming.Name(NAMES[place], where, {"size": 14}))
        return naming.clear_names(names, self.data.bounds, np.concatenate([self.data.X, *paths]))

    def found(self, now: int) -> Regions:
        """Return the class that naive Bayes predicts for every cell of the picture."""
        x, y, cells = plane.grid(self.data.bounds)
        naive = self.steps[now].models[NAIVE]
        return Regions(naive.predict(cells).reshape(len(y), len(x)))

    def errors(self, now: int) -> Figure:
        """Draw the mean error of every kind against the number of points; mark this step."""
        sizes = [step.size for step in self.steps]
        means = 100 * np.array([step.mean_errors for step in self.steps])
        traces = []
        for place, name in enumerate(NAMES):
            width = 3.5 if place == NAIVE else 2
            style = {"line": {"width": width, "dash": _DASHES[place]}, "marker": {"size": 5}}
            curve = curves.against(name, sizes, means[:, place], setting="points", **style)
            traces += [curve, curves.marked(sizes[now], float(means[now, place]), showlegend=False)]
        low, high = np.log10(sizes[0]), np.log10(sizes[-1])
        room = 0.05 * (high - low) or 0.1
        across = {
            "title": {"text": "training points", "standoff": 4},
            "type": "log",
            "range": [float(low - room), float(high + room)],
            "tickvals": sizes,
        }
        panel = Panel(traces, across, panels.axis("% wrong, held out", 0, float(means.max())))
        return curves.with_legend(panels.alone(panel))

    def caption(self, now: int) -> str:
        """Write which kind is best with this many points, and by how much."""
        step = self.steps[now]
        draws, others = len(step.errors), len(self.data.X) - step.size
        means = (100 * step.mean_errors).tolist()
        each = ", ".join(
            f"{name} {number(mean)} %" for name, mean in zip(NAMES, means, strict=True)
        )
        better, worse = step.draws_won("diagonal", "separate")
        best, *alike = sorted(step.alike, key=lambda kind: means[kind])
        verdict, of_draws = f"{NAMES[best]} covariances do best", "on average"
        if alike:
            both = listed([NAMES[kind] for kind in (best, *alike)])
            verdict, of_draws = f"{both} do best, alike within chance", "at best"
        return (
            f"With {step.size} training points, {verdict}: {of_draws} {number(means[best])} % of "
            f"the other {counted(others, 'point')} are wrong.\n"
            f"Mean of {draws} draws: {each}. Naive beats separate in "
            f"{counted(better, 'draw')} and loses in {worse}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the kind with the least mean error, and what the error of one kind does."""
        if rng.random() < 0.5:
            return self._best(now) or self._error(now, rng)
        return self._error(now, rng) or self._best(now)

    def _best(self, now: int) -> Question | None:
        """Ask which kind of covariance has the least error on the other points."""
        after = self.steps[now + 1]
        errors = (100 * after.mean_errors).tolist()

        def reason(first: int, second: int) -> str:
            return (
                f"On average {number(errors[first])} % of the other points are wrong with "
                f"{NAMES[first]} covariances, and {number(errors[second])} % with {NAMES[second]} "
                "ones."
            )

        text = f"With {after.size} training points: which covariances do best on the others?"
        options = [Option(f"{name} ones") for name in NAMES]
        return which_most(text, options, [-error for error in errors], reason)

    def _error(self, now: int, rng: Generator) -> Question | None:
        """Ask how more training points change the error of one kind."""
        before, after = self.steps[now : now + 2]
        j = int(rng.integers(len(NAMES)))
        old, new = (float(100 * step.mean_errors[j]) for step in (before, after))
        draws = len(after.errors)
        reason = f"The mean of {draws} draws goes from {number(old)} to {number(new)} %."
        text = (
            f"From {before.size} to {after.size} training points: what does the error of "
            f"{NAMES[j]} covariances on the others do?"
        )
        return rises_or_falls(text, old, new, reason)
