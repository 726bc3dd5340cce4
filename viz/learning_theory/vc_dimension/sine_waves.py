"""Sine waves: one number, and a wave through any labelling."""

import numpy as np
from numpy.random import Generator

from algorithms.learning_theory.vc_dimension.sine_waves import SineStep
from viz.core import curves, plane
from viz.core.graph import texts
from viz.core.question import Option, Question, question
from viz.core.scene import DENSE, Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY
from viz.core.words import number
from viz.learning_theory.vc_dimension import marks

_PLACES = 1600  # along the wave: at least 20 in every period
_ROOM = 2**0.5  # beyond the outer points, as a factor
_SIZE = 22  # pixels of a point
_NAMES = 1.27  # height of the points' names, above the wave
_OTHERS = 3  # wrong frequencies in a question


class SineWaves(Show[SineStep]):
    """The wave of one labelling on an axis on which the points 2^-i are equally far apart."""

    unit = "labelling"
    counts_from = 1
    opens = 18  # of five points: a slow wave

    note = "The axis is logarithmic, so the wave seems to get slower. Its frequency is constant."

    def __init__(self, run: Run) -> None:
        """Choose the places at which the wave is drawn."""
        super().__init__(run)
        self.x = self.steps[0].x
        low, high = float(self.x.min()) / _ROOM, float(self.x.max()) * _ROOM
        self.ends = (low, high)
        self.along = np.linspace(low, high, _PLACES)

    def views(self) -> list[View]:
        """Return the wave, and the frequencies of all labellings."""
        return [
            View("The wave, and the labels of the points", self.picture, board=False),
            View(
                "The one number, ω / π, of each labelling, sorted",
                self.frequencies, ahead="to a question",
            ),
        ]  # fmt: skip

    def frequencies(self, now: int) -> Figure:
        """Draw the frequencies of all labellings in order, with a dot at the shown one."""
        shown = self.steps[now].frequency / np.pi
        multiples = sorted(step.frequency / np.pi for step in self.steps)
        count, top = len(multiples), multiples[-1]
        dots = np.column_stack([np.arange(1, count + 1), multiples])
        traces = [
            plane.line(dots, mode="markers", marker={"size": 8}, name="ω / π of a labelling"),
            curves.marked(multiples.index(shown) + 1, shown, name="this labelling"),
        ]
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "labellings, by their ω", "standoff": 4},
                "range": [-0.03 * count, count + 1],
            },
            yaxis={"title": {"text": "ω / π"}, "range": [-0.03 * top, 1.08 * top], "nticks": 5},
        )
        return {"data": traces, "layout": layout}

    def picture(self, now: int) -> Figure:
        """Draw the wave, and every point on the side of its label."""
        step = self.steps[now]
        wave = np.column_stack([self.along, np.sin(step.frequency * self.along)])
        places = np.column_stack([self.x, np.sin(step.frequency * self.x)])
        written = [marks.name(i, bool(y)) for i, y in enumerate(step.labels.tolist())]
        bold = {"size": 16, "weight": 700}
        axis = np.array([[self.ends[0], 0.0], [self.ends[1], 0.0]])
        traces = [
            plane.line(axis, line={"width": 1, "color": GREY}, name="height 0: + above, − below"),
            plane.line(wave, line={"width": 3}, name="wave", meta=DENSE),
            *marks.labelled(places, step.labels, _SIZE, named=False),
            texts(np.column_stack([self.x, np.full(len(self.x), _NAMES)]), written, textfont=bold),
        ]
        ticks = {"tickvals": self.x.tolist(), "ticktext": [_fraction(x) for x in self.x]}
        layout = {
            "xaxis": {"type": "log", "range": np.log10(self.ends[::-1]).tolist(), **ticks,
                      "title": {"text": "x, halved at each step"}},
            "yaxis": {"range": [-1.45, 1.45], "tickvals": [-1, 0, 1],
                      "title": {"text": "sin(ωx): + above 0"}},
            "margin": {"l": 50, "r": 6, "t": 6, "b": 44},
            "dragmode": False, "hovermode": False, "showlegend": False,
        }  # fmt: skip
        return {"data": traces, "layout": layout}

    def caption(self, now: int) -> str:
        """Write the frequency and how it follows from the labels."""
        step, total = self.steps[now], len(self.steps)
        text = marks.signs(step.labels)
        multiple = number(step.frequency / np.pi, 6)
        terms = [f" + {2 ** (i + 1)}" for i, y in enumerate(step.labels) if not y]
        what = f"Labelling {now + 1} of {total}, {text}: one number, ω = {multiple}π, realises it."
        rule = "No point is negative, so ω / π is 1."
        if terms:
            sums = f"ω / π = 1{''.join(terms)} = {multiple}"
            rule = f"Each negative point adds its own power of 2 to 1 (x₁ adds 2, x₂ 4, …): {sums}."
        if now == total - 1:
            said = f"One number realises all {total} labellings, and so for any number of points:"
            return f"{said} the VC dimension is infinite.\n{what}\n{rule}"
        return f"{what}\n{rule}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask which frequency realises the next labelling."""
        after = self.steps[now + 1]
        every = [step.frequency for step in self.steps]
        others = [every[i] for i in rng.permutation(len(every)) if every[i] != after.frequency]
        options = [Option(f"{number(w / np.pi, 6)}π") for w in (after.frequency, *others[:_OTHERS])]
        negative = [2 ** (i + 1) for i, y in enumerate(after.labels) if y == 0]
        added = " + ".join(["1", *map(str, negative)])
        reason = f"ω / π = {added}. The first 1 is always there; every negative point 2⁻ⁱ adds 2ⁱ."
        text = f"Next is {marks.signs(after.labels)}, from x₁ = 1/2 on. Which ω realises it?"
        return question(text, options[0], options[1:], reason)


def _fraction(x: float) -> str:
    return f"1/{round(1 / x)}"
