"""The cell with gates: a line that is kept, and its gradient beside the plain unit's."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.sequences.recurrent_unit.lstm_cell import CellStep
from algorithms.sequences.recurrent_unit.sequences import OPEN
from viz.core import curves, graph, panels, plane
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import PALETTE
from viz.core.words import enclosed, number
from viz.sequences.recurrent_unit import marks

_CELL, _PLAIN = PALETTE[1], PALETTE[0]
_GATES = (("forget", 0, "solid"), ("input", 1, "dash"), ("output", 3, "dot"))
_APART = 0.055  # of the height: from one name to the next
_ALIKE = 0.01  # two answers are at least this far apart


class LSTMCell(Show[CellStep]):
    """A time forward per step, then a time back, for the cell and for a plain unit."""

    opens = AT_THE_END
    counts_from = 1  # so that on the way forward a step's number is its time

    note = (
        "The first input is marked, and the mark opens the input gate. The plain unit reads the "
        "same inputs. Both gradients begin with 1: those of the last cell state and of the "
        "plain unit's last state. A gradient below 10⁻³⁰ is not drawn."
    )

    def __init__(self, run: Run, plain: Run, x: ndarray, let_in: float) -> None:
        """Keep both runs and their gradients.

        plain : the run of the plain unit. let_in : the bias of the input gate.
        """
        super().__init__(run)
        self.let_in = let_in
        self.plain, self.x, self.T = plain.steps, x, len(x)
        end = self.steps[-1]
        self.cells, self.states, self.gates = end.cells, end.states, end.gates
        # Of the last h, by way of c_T alone: the output gate is a bias.
        self.by_cell, self.by_plain = end.dc / (end.dc[-1] or 1.0), plain.steps[-1].gradients
        seen = [self.cells, self.plain[-1].states, self.states, x]
        self.most = 1.12 * max(float(each.max()) for each in seen)
        self.low = min(1.12 * min(float(each.min()) for each in seen), -0.12 * self.most)
        self.inputs = marks.inputs(x)

    def views(self) -> list[View]:
        """Return what is kept, the gates, both gradients, and the inputs."""
        return [
            View("What the cell and the plain unit keep", self.picture, board=False),
            View("Gates: 1 is open", self.doors, board=False),
            View("How the last state depends on earlier ones", self.back, ahead=True, board=False),
            View("Inputs: drag one up or down", lambda _: self.inputs, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the cell state, both visible states and the inputs over time."""
        step, plain = self.steps[now], self.plain[now]
        thick = {"width": 5, "color": _CELL}
        traces = [
            marks.stems(self.x),
            marks.over_time(
                plain.states, plain, "state of the plain unit", line={"width": 3, "color": _PLAIN}
            ),
            marks.over_time(
                step.states,
                step,
                "state h of the cell",
                line={"width": 2, "dash": "dash", "color": _CELL},
            ),
            marks.over_time(step.cells, step, "cell state c: what is kept", line=thick),
            curves.marked(step.t, float(self.cells[step.t]), name="the time at hand"),
            self._names(now),
            self._input_named(),
        ]
        box = (-0.5, self.T * 1.25 + 0.5, self.low, self.most)
        figure = plane.figure(traces, box, ("time t", "state, input"))
        figure["layout"]["xaxis"] |= {"tickvals": list(range(0, self.T + 1, 2))}
        return figure

    def _names(self, now: int) -> dict:
        """Write the names of the lines at their ends."""
        step = self.steps[now]
        t = step.t if step.phase == "forward" else self.T
        values = np.array([self.cells[t], self.states[t], self.plain[now].states[t]])
        heights = panels.spread_out(values, _APART * (self.most - self.low), self.low, self.most)
        places = np.column_stack([np.full(3, t + 0.45), heights])
        written = ["cell state c", "output h", "plain unit"]
        colors = [_CELL, _CELL, _PLAIN]
        return graph.texts(
            places, written, textposition="middle right",
            textfont={"color": colors, "shadow": "auto", "weight": 700},
        )  # fmt: skip

    def _input_named(self) -> dict:
        """Write "input" at the end of the largest one."""
        t = int(np.abs(self.x).argmax())
        place, word = np.array([[t + 1, self.x[t]]]), "input" if self.x[t] else " "
        return graph.texts(
            place, [word], textposition="top center" if self.x[t] > 0 else "bottom center",
            textfont={"shadow": "auto"},
        )  # fmt: skip

    def doors(self, now: int) -> Figure:
        """Draw the three gates as far as they are known."""
        step = self.steps[now]
        known = np.vstack([np.full((1, 4), np.nan), step.gates])
        data = [
            marks.over_time(
                known[:, k], step, name, showlegend=True,
                line={"width": 3, "dash": dash, "color": PALETTE[i + 2]},
            )
            for i, (name, k, dash) in enumerate(_GATES)
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis=marks.times(self.T), yaxis={"range": [-0.04, 1.04], "nticks": 5},
            shapes=[curves.dotted(step.t)],
        )  # fmt: skip
        return curves.with_legend({"data": data, "layout": layout})

    def back(self, now: int) -> Figure:
        """Draw both gradients against the number of times back."""
        step = self.steps[now]
        back = self.T - step.t + 1 if step.phase == "back" else -1
        looks = [{"color": _CELL}, {"color": _PLAIN, "dash": "dash"}]
        both = {"cell state": self.by_cell, "plain unit": self.by_plain}
        return marks.gradients(both, back, looks)

    def caption(self, now: int) -> str:
        """Write the cell state with its gates, or both gradients."""
        step = self.steps[now]
        t = step.t
        f, i, o = (number(self.gates[t - 1, k]) for k in (0, 1, 3))
        if step.phase == "forward":
            c = number(self.cells[t])
            return (
                f"Forward, time {t}: the cell keeps {f} of its state and lets {i} of the new one "
                f"in.\n{self._input_gate(t)}\n"
                f"What is kept of the old state and what comes in make the cell state c: "
                f"{f} · {enclosed(self.cells[t - 1])} + {i} · {enclosed(self.gates[t - 1, 2])} = "
                f"{c}.\n"
                f"The output gate lets {o} of tanh c out: {o} · {enclosed(np.tanh(self.cells[t]))} "
                f"= {number(self.states[t])}. The plain unit's state is "
                f"{number(self.plain[now].states[t])}."
            )
        g, own, other = self.by_cell, number(self.by_cell[t - 1]), number(self.by_plain[t - 1])
        what = f"Back, time {t}: the gradient is {own} in the cell, {other} in the plain unit."
        if step.event == "finished":
            what = f"At the start the gradient is {own} in the cell, {other} in the plain unit."
        through = float(g[t - 1] - g[t] * self.gates[t - 1, 0])
        return (
            f"{what}\nIn the cell it comes back through the forget gate and through the output h: "
            f"{f} · {enclosed(g[t])} + {enclosed(through)} = {own}.\n"
            f"At this time the output gate is {o}. {self._input_gate(t)}"
        )

    def _input_gate(self, t: int) -> str:
        """Write how open the input gate is: by its bias, and at the first time by the mark."""
        i, marked = number(self.gates[t - 1, 1]), t == 1
        what = "The mark of the first input opens" if marked else "Without a mark, the bias sets"
        rule = f"s({number(OPEN)} · {int(marked)} + {enclosed(self.let_in)}) = {i}"
        return f"{what} the input gate: s({number(OPEN)} · mark + bias) = {rule}, s the sigmoid."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the next cell state, or which of the two gradients shrinks more."""
        step, after = self.steps[now], self.steps[now + 1]
        t = after.t
        f, i, m, _ = self.gates[t - 1].tolist()
        if after.phase == "forward":
            c, right = float(self.cells[t - 1]), float(self.cells[t])
            others = [f * c, i * m, c + m, f + i, f * m + i * c]
            wrong = [Option(number(each)) for each in others if abs(each - right) > _ALIKE]
            text = (
                f"The cell state is {number(c)}. At time {t} the forget gate is {number(f)}, the "
                f"input gate {number(i)} and the modified state {number(m)}. What is the cell "
                "state then?"
            )
            reason = (
                f"f c + i c̃ = {number(f)} · {enclosed(c)} + {number(i)} · {enclosed(m)} = "
                f"{number(right)}."
            )
            return question(text, Option(number(right)), wrong, reason)
        ratio = [
            float(abs(g[t - 1] / g[t])) if g[t] else 0.0 for g in (self.by_cell, self.by_plain)
        ]
        if step.phase == "forward" or abs(ratio[0] - ratio[1]) < _ALIKE:
            return None
        names = [Option("by the cell state"), Option("by the plain unit's state")]
        more = int(ratio[1] > ratio[0])
        text = f"One more step back, through time {t}: which gradient is multiplied by more?"
        reason = (
            f"It is multiplied by {number(ratio[0])} for the cell, where the forget gate is "
            f"{number(f)}, and by {number(ratio[1])} for the plain unit."
        )
        return question(text, names[more], [names[1 - more]], reason)
