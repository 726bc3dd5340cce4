"""Multiple kernel learning: the weights of the kernels as bars, and the machine they make."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.classification.svm.each_kernel import EachKernel
from algorithms.classification.svm.kernel_weights import KernelWeightsStep
from algorithms.core.features import SUPERSCRIPTS, PolynomialFeatures
from algorithms.core.kernels import RBF, GridSum, Kernel, OfColumn, Polynomial
from viz.classification.svm import marks
from viz.classification.svm.machine import widest
from viz.core import curves, naming, panels, plane
from viz.core.found import Regions
from viz.core.panels import Panel
from viz.core.preparation import preprocessing
from viz.core.question import Option, Question
from viz.core.question_kinds import which_most
from viz.core.scene import Figure, Plane, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import counted, number, rounded

_SIGNS = {"marks": ["", "support vector, α > 0"]}


class KernelWeights(Show[KernelWeightsStep]):
    """The street of the mixed kernel, and the weights that make it."""

    unit = "update"
    opens = 2

    def __init__(
        self,
        run: Run,
        data: Plane,
        sides: marks.Sides,
        features: PolynomialFeatures,
        each: EachKernel,
    ) -> None:
        """Prepare the cells of the picture. each : every kernel alone, and held-out errors."""
        super().__init__(run, data)
        self.sides, self.features, self.each = sides, features, each
        self.task = self.steps[0].task
        self.names = [_name(kernel, data.names) for kernel in self.task.kernels]
        self.note = (
            f"{preprocessing(features, data.names)} Each kernel is divided by the variance of the "
            "points in its space of features, so that the weights compare."
        )

    def views(self) -> list[View]:
        """Return the street, the weights, J with its bound, and the held-out errors."""
        return [
            View(f"The machine of the mixed kernel, with its street{widest(self.features)}",
                 self.picture),
            View("Weight of every kernel; grey: the update before", self.weights),
            View("J, its bound, and the best kernel alone", self.objective, ahead="by step"),
            View(f"Wrong of {self.each.n} held out, alone and mixed", self.held_out, ahead=True),
        ]  # fmt: skip

    def picture(self, now: int) -> Figure:
        """Draw both sides, f = 0, the edges of the street, and the support vectors."""
        step, box, f = self.steps[now], self.data.bounds, self._f(now)
        x_cells, y_cells, _ = plane.grid(box, f.shape[0])
        contours = plane.contours(x_cells, y_cells, f)
        traces = [
            marks.filled(f, self.sides, box),
            plane.level_lines(contours, box, 0.0, name=marks.BORDER, width=3),
            plane.level_lines(contours, box, -1.0, 1.0, name=marks.EDGES, width=1.5, dash="dash"),
        ]
        traces.append(naming.in_corner("ring: support vector", box, size=14))
        wrong = step.predict(step.task.points) != step.task.labels
        return plane.figure(
            traces,
            box,
            self.data.names,
            points=plane.points(self.data.X, self.data.labels, wrong),
            marks=plane.marks((step.coefficients != 0).astype(np.uint8), [100, 100], [0, 16], 1.5),
            signs=_SIGNS,
        )

    def weights(self, now: int) -> Figure:
        """Draw the weight of every kernel as a bar, over that of the step before."""
        step, before = self.steps[now], self.steps[max(now - 1, 0)]
        places = list(range(len(self.names)))
        bars = [
            _bars("weight before this update", places, before.weights, width=0.8, opacity=0.3),
            _bars("weight η", places, step.weights, width=0.5)
            | {
                "text": [number(round(weight, 3), 2) for weight in step.weights.tolist()],
                "textposition": "outside",
                "textangle": 0,
                "cliponaxis": False,
            },
        ]
        layout = curves.panel_layout(
            xaxis={"tickvals": places, "ticktext": self.names, "range": [-0.6, len(places) - 0.4]},
            yaxis={"title": {"text": "weight η"}, "range": [0, 1.15], "nticks": 5},
            barmode="overlay",
        )
        layout["margin"] = {**layout["margin"], "b": 32}
        return {"data": bars, "layout": layout}

    def objective(self, now: int) -> Figure:
        """Draw J and the bound over the updates, and J of the best kernel alone."""
        J = np.array([step.objective for step in self.steps])
        bound = np.array([step.objective - step.gap for step in self.steps])
        wide = max(len(J) - 1, 1)
        best = float(self.each.objectives.min())
        top = max(float(J.max()), best) * 1.05
        low = min(max(float(bound.min()), 0.0), 0.9 * float(J.min()))
        updates = np.arange(len(J))
        traces = [
            plane.line(np.column_stack([updates, J]), line={"width": 2.5})
            | {"name": "J", "showlegend": True},
            plane.line(np.column_stack([updates, bound]), line={"width": 2, "dash": "dash"})
            | {"name": "bound", "showlegend": True},
            plane.line(
                np.array([[0, best], [wide, best]]), line={"width": 2, "dash": "dot", "color": GREY}
            )
            | {"name": "best kernel alone", "showlegend": True},
            curves.marked(now, float(J[now]), showlegend=False),
        ]
        layout = curves.panel_layout(
            xaxis={"title": {"text": "update", "standoff": 2}, "range": [-0.03 * wide, 1.03 * wide]}
            | {"nticks": 8},
            yaxis={"title": {"text": "J"}, "range": [low, top], "nticks": 5},
        )
        return curves.with_legend({"data": traces, "layout": layout})

    def held_out(self, now: int) -> Figure:
        """Draw the held-out errors of every kernel alone and of both mixtures."""
        names = [*self.names, "even mix", "learned"]
        places, wrong = list(range(len(names))), self.each.wrong
        opacity = [0.5] * len(self.names) + [1, 1]  # of a kernel alone, and of both mixtures
        trace = _bars("points wrong, held out", places, wrong, width=0.6) | {
            "marker": {"opacity": opacity},
            "text": [str(count) for count in wrong.tolist()],
            "textposition": "outside",
            "textangle": 0,
            "cliponaxis": False,
        }
        panel = Panel(
            [trace],
            x={"tickvals": places, "ticktext": names, "range": [-0.6, len(names) - 0.4]},
            y={"title": {"text": "points wrong"}, "nticks": 4}
            | {"range": [0, 1.2 * max(int(wrong.max()), 1)]},
        )
        return panels.alone(panel)

    def caption(self, now: int) -> str:
        """Write which kernel gained weight and why, with the numbers of the rule."""
        step = self.steps[now]
        ended = {"converged": " Converged.", "stopped at max_iter": " Stopped: no more updates."}
        end = ended.get(step.event or "", "")
        if now == 0:
            first = (
                f"Start: all {counted(len(self.names), 'kernel')} have the same weight; the "
                f"machine has J = {rounded(step.objective)}.{end}"
            )
        else:
            first = self._updated(now) + end
        if step.event == "converged" and now > 0:
            most = int(step.weights.argmax())
            first = (
                f"Converged. {self.names[most]} has the most weight, "
                f"{number(step.weights.item(most))}; J = {rounded(step.objective)}."
            )
        total, m = float(step.lengths.sum()) or 1.0, int(step.lengths.argmax())
        length = step.lengths.item(m)
        share = f"{number(length)} / {number(total)} = {number(length / total)}"
        return (
            f"{first}\nThe machine's cost J can fall by at most {number(step.gap)} from here."
            "\nNext, every kernel's weight becomes its share of all lengths ‖w‖; for "
            f"{self.names[m]} this is {share}."
        )

    def _updated(self, now: int) -> str:
        """Write which kernel gained the most weight, and how far J fell."""
        before, step = self.steps[now - 1], self.steps[now]
        m = int((step.weights - before.weights).argmax())
        return (
            f"Update {now}: {self.names[m]} gains most, {number(before.weights.item(m))} → "
            f"{number(step.weights.item(m))}; J falls by "
            f"{number(before.objective - step.objective)} to {rounded(step.objective)}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which kernel has the most weight gained after the next update."""
        before, after = self.steps[now], self.steps[now + 1]

        def reason(first: int, second: int) -> str:
            roots = np.sqrt(before.forms)
            return (
                f"The new weight goes with η √q, and √q is {number(roots.item(first))} for "
                f"{self.names[first]}, {number(roots.item(second))} for {self.names[second]}."
            )

        options = [Option(name) for name in self.names]
        change = (after.weights - before.weights).tolist()
        return which_most(
            "Which kernel gains the most weight in the next update?", options, change, reason
        )

    def found(self, now: int) -> Regions:
        """Return the side of every cell."""
        return marks.regions(self._f(now), self.sides)

    def _f(self, now: int) -> ndarray:
        step = self.steps[now]
        grid: GridSum = marks.surface(
            step.kernel, self.task.points, self.features, self.data.bounds
        )
        return grid(step.coefficients) + step.bias


def _name(kernel: Kernel, names: tuple[str, ...] | list[str]) -> str:
    """Return a short name of a kernel."""
    match kernel:
        case OfColumn(inner, column):
            return f"{_name(inner, names)} of {panels.label(names[column])}"
        case RBF(gamma):
            return f"RBF γ = {number(gamma)}"
        case Polynomial(degree, _):
            return f"(a·b){str(degree).translate(SUPERSCRIPTS)}"
        case _:
            return "a·b"


def _bars(name: str, places: list[int], values: ndarray, **how: object) -> dict:
    return {
        "type": "bar",
        "x": places,
        "y": values.tolist(),
        "name": name,
        "hoverinfo": "skip",
        **how,
    }
