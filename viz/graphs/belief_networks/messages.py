"""Belief propagation: numbers on the arrows, and the beliefs beside the exact posteriors."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.belief_networks.examples import YES
from algorithms.graphs.belief_networks.messages import (
    MessageStep,
    Way,
    has_loop,
    schedule,
    written,
)
from algorithms.graphs.belief_networks.network import edges
from viz.core import curves, plane
from viz.core.arrows import arrow
from viz.core.question import Question
from viz.core.question_kinds import rises_or_falls
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, NOW, PALETTE
from viz.core.words import capital, number
from viz.graphs.belief_networks import marks
from viz.graphs.belief_networks.marks import Look, Task

_GAP = 5 * "\u00a0"  # between a message and its arrow
_SHORTER = 0.2  # of an arrow of the network: as much shorter is a message at both ends
CLEAR = 0.02  # of the larger belief: smaller changes are not asked about


class Messages(Show[MessageStep]):
    """One message is sent per step."""

    unit = "message"

    def __init__(self, run: Run, task: Task, picked: str | Way) -> None:
        """Keep the beliefs. picked : a variable or an arrow, whose numbers the caption explains."""
        super().__init__(run)
        self.task, self.picked, self.ways = task, picked, schedule(task.network)
        self.edges = edges(task.network)
        receiver = picked[1] if isinstance(picked, tuple) else picked
        self.opens = 1 + max(k for k, way in enumerate(self.ways) if way[1] == receiver)
        self.loops = has_loop(task.network)
        self.beliefs = [marks.shares(step.beliefs) for step in self.steps]
        self.arrows = marks.arrows_of(task)
        near = " The network has a loop, so the beliefs are only near the posteriors."
        given = (
            "π, down an arrow: what the parent says. λ, up an arrow: what the child says. The "
            "number is the share of yes."
        )
        self.note = given + near * self.loops

    def views(self) -> list[View]:
        """Return the network, the beliefs, the tables, and the beliefs over the steps."""
        still = marks.tables(self.task.network)
        return [
            View("Messages: pick a card or an arrow", self.picture, board=False),
            View("Before, belief now, and exact", self.compared, ahead=True, board=False),
            View("The tables: drag a bar", lambda _: still, board=False),
            View("Beliefs, message by message", self.over_time, ahead=True, board=False),
        ]

    def way(self, now: int) -> Way | None:
        """Return who wrote the message of a step, and to whom."""
        return self.ways[(now - 1) % len(self.ways)] if now else None

    def picture(self, now: int) -> Figure:
        """Draw the beliefs, and both messages on every arrow as far as they are sent."""
        step, way = self.steps[now], self.way(now)
        heard = step.heard
        start, end, _ = self.arrows
        words = []
        for k, (u, x) in enumerate(self.edges):
            middle = (start[k] + end[k]) / 2
            for letter, each, side in (("π", (u, x), "left"), ("λ", (x, u), "right")):
                sent = step.sent > self.ways.index(each)
                text = f"{letter} {marks.share(heard[each][YES])}" if sent else " "
                words.append((middle, f"{_GAP}{text}{_GAP}", f"middle {side}"))
        look = Look(
            self.beliefs[now], self.task.evidence, self.arrows, words=words,
            lit=[way[1]] if way else [],
            does=self._so_far(now),
            before={way[1]: self.beliefs[now - 1][way[1]]} if way else {},
            strong="dashed frame: it hears the message",
            told="π: message down<br>λ: message up<br>outline: before",
        )  # fmt: skip
        figure = marks.network(self.task, look)
        start, end = self._along(way)
        sent = arrow(start, end, NOW, width=6, head=22) | {"name": "the message of this step"}
        return {**figure, "data": [*figure["data"], sent]}

    def _so_far(self, now: int) -> dict[str, str]:
        """Write the beliefs that wait for a message."""
        waiting = {way[1] for way in self.ways[self.steps[now].sent :]} - set(self.task.evidence)
        return {x: f"{marks.share(self.beliefs[now][x])} so far" for x in waiting}

    def _along(self, way: Way | None) -> ndarray:
        """Return start and end of a message, on the arrow of the network."""
        if way is None:
            return np.full((2, 2), np.nan)
        down = way in self.edges
        k = self.edges.index(way if down else (way[1], way[0]))
        ends = np.stack([self.arrows.start[k], self.arrows.end[k]])
        ends = ends + _SHORTER * (ends[::-1] - ends)
        return ends if down else ends[::-1]

    def compared(self, now: int) -> Figure:
        """Draw three bars for every variable."""
        names = self.task.names
        rows = (
            ("before anything is seen", self.task.prior, GREY),
            ("belief", self.beliefs[now], PALETTE[0]),
            ("exact", self.task.posterior, PALETTE[2]),
        )
        bars = [
            {"type": "bar", "name": name, "x": [*range(len(names))],
             "y": [values[x] for x in names], "marker": {"color": ink}, "hoverinfo": "skip"}
            for name, values, ink in rows
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.6, len(names) - 0.4], "tickvals": [*range(len(names))],
                "ticktext": [marks.letter(name) for name in names],
            },
            yaxis={"title": {"text": "P(yes)"}, "range": [0, 1.03], "nticks": 6},
        )  # fmt: skip
        return curves.with_legend({"data": bars, "layout": layout}, traceorder="normal")

    def over_time(self, now: int) -> Figure:
        """Draw the belief of every variable over the messages, and its exact value dotted."""
        steps, traces = np.arange(len(self.steps)), []
        for i, name in enumerate(x for x in self.task.names if x not in self.task.evidence):
            ink = PALETTE[i % len(PALETTE)]
            values = np.array([belief[name] for belief in self.beliefs])
            exact, dots = np.full(len(steps), self.task.posterior[name]), "dot"
            for y, line in ((values, {"width": 2}), (exact, {"width": 1, "dash": dots})):
                own = name if y is values else f"{name}, exact"
                look = {"line": line | {"color": ink}, "showlegend": y is values}
                traces.append(plane.line(np.column_stack([steps, y]), name=own, **look))
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "messages sent", "standoff": 4},
                "range": [-0.3, len(steps) - 0.7],
            },
            yaxis={"title": {"text": "P(yes)"}, "range": [-0.03, 1.03], "nticks": 6},
            shapes=[curves.dotted(now)],
        )  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def caption(self, now: int) -> str:
        """Write what the message does to the belief of who hears it; then its sum."""
        step, way = self.steps[now], self.way(now)
        explained = self._explained(now)
        if way is None:
            what = (
                "No message is sent yet: every variable knows its own table and what is seen of "
                "it, and counts what it has not heard as 1 : 1."
            )
            return f"{what}\n{explained}"
        writer, receiver = way
        before, after = self.beliefs[now - 1][receiver], self.beliefs[now][receiver]
        said = f"“{writer}” tells “{receiver}”"
        if receiver in self.task.evidence:
            what = f"{said}, which is seen and does not change."
        elif abs(after - before) < 5e-4:
            what = f"{said}, which changes nothing there."
        else:
            verb = "rises" if after > before else "falls"
            ends = f"{marks.share(before)} to {marks.share(after)}"
            waits = receiver in self._so_far(now)
            still = ", as long as what has not come counts as 1 : 1" * waits
            what = f"{said}, and “{receiver}” {verb} from {ends}{still}."
        if now + 1 == len(self.steps):
            sent = f"All {now} messages are sent"
            what = f"{sent}: every belief is exact."
            if self.loops:
                what = f"{sent}. The network has a loop, so beliefs are only near the posteriors."
        told = self.picked in (way, (receiver, writer))
        message = self._message(way, step)
        own = "" if told else f"{capital(message)}\n"
        return f"{what}\n{own}{explained}{self._end(now)}"

    def _end(self, now: int) -> str:
        """Write how far the beliefs are from the posteriors, where the network has a loop."""
        if not self.loops or now + 1 < len(self.steps):
            return ""
        free = [x for x in self.task.names if x not in self.task.evidence]
        if not free:
            return ""
        worst = max(free, key=lambda x: abs(self.beliefs[now][x] - self.task.posterior[x]))
        return (
            f" Exact for {marks.letter(worst)}: {number(self.task.posterior[worst])} instead of "
            f"{number(self.beliefs[now][worst])}."
        )

    def _explained(self, now: int) -> str:
        """Write how the picked number came about."""
        picked, step = self.picked, self.steps[now]
        if isinstance(picked, tuple):
            ways: tuple[Way, Way] = (picked, (picked[1], picked[0]))
            told = [self._message(way, step) for way in ways if step.sent > self.ways.index(way)]
            none = f"nothing was sent between {picked[0]} and {picked[1]} yet."
            both = "; ".join(line.removesuffix(".") for line in told)
            return f"Picked: {both}." if told else f"Picked: {none}"
        no, yes = written(self.task.network, self.task.evidence, step.heard, (picked, picked))
        waits = any(way[1] == picked for way in self.ways[step.sent :])
        still = ", 1 : 1 where nothing has come" if waits else ""
        return (
            f"Picked: {picked} multiplies its table with what it has heard{still}: {number(yes)} "
            f"for yes, {number(no)} for no, so {_quotient(yes, no)}."
        )

    def _message(self, way: Way, step: MessageStep) -> str:
        """Write a message: what it says of yes, divided by the sum for yes and no."""
        writer, receiver = way
        down = receiver not in self.task.network[writer].parents
        k = self.ways.index(way)
        source = self.steps[self._sent_at(k, step.sent) - 1]
        no, yes = written(self.task.network, self.task.evidence, source.heard, way)
        name = f"the message {'down (π)' if down else 'up (λ)'} from {writer} to {receiver}"
        return f"{name} gives yes the share {_quotient(yes, no)}."

    def _sent_at(self, k: int, sent: int) -> int:
        """Return the last step, up to one, at which a message of the schedule was sent."""
        return (sent - k - 1) // len(self.ways) * len(self.ways) + k + 1

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask what the next message does to the belief of who hears it."""
        way = self.way(now + 1)
        assert way is not None
        writer, receiver = way
        if receiver in self.task.evidence:
            return None
        before, after = self.beliefs[now][receiver], self.beliefs[now + 1][receiver]
        return rises_or_falls(
            f"{writer} sends a message to {receiver} next. What happens to what {receiver} "
            "believes of yes?",
            before, after,
            f"It goes from {marks.share(before)} to {marks.share(after)}.",
            least=CLEAR,
        )  # fmt: skip


def _quotient(yes: float, no: float) -> str:
    """Write the share of yes."""
    return f"{number(yes)} / ({number(yes)} + {number(no)}) = {number(yes / (yes + no))}"
