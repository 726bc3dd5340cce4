"""d-separation: a walk along every path, and what the variables on it do."""

from itertools import pairwise

import numpy as np
from numpy.random import Generator

from algorithms.graphs.belief_networks.elimination import conditional
from algorithms.graphs.belief_networks.examples import NO, YES
from algorithms.graphs.belief_networks.network import edges
from algorithms.graphs.belief_networks.separation import (
    Path,
    SeparationStep,
    descendants,
    kind_of,
)
from viz.core import curves, plane
from viz.core.graph import texts, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.words import counted, listed, number
from viz.graphs.belief_networks import marks
from viz.graphs.belief_networks.marks import Look, Task

ON_PATH = 7.0  # pixels
_BAND = 18.0  # pixels
_FITS = 46  # letters of a path beside its verdict
_DOES = ("blocks", "passes")
_VERDICTS = {"open": "✓ open", "blocked": "✕ blocked", "?": "?"}
_SHAPES = {
    "chain": "one arrow in, one out",
    "fork": "both arrows out",
    "collider": "both arrows in",
}


class Separation(Show[SeparationStep]):
    """One variable on a path is looked at per step."""

    unit = "look"
    opens = 1
    note = "Thick arrows: the path of this step. Only the graph decides, not the numbers."

    def __init__(self, run: Run, task: Task, a: str, b: str) -> None:
        """Compute how P(b) depends on a. a, b : the ends of all paths."""
        super().__init__(run)
        self.task, self.a, self.b = task, a, b
        self.edges = edges(task.network)
        self.arrows = marks.arrows_of(task)
        self.effect = conditional(task.network, task.evidence, b, a)[[YES, NO], YES]
        possible = bool(np.isfinite(self.effect).any())
        self.shares = task.posterior if possible else {}

    def views(self) -> list[View]:
        """Return the network, P(b) for both values of a, the paths, and the tables."""
        still, bars = self.numbers(), marks.tables(self.task.network)
        title = f"{self.b}, if {self.a} is seen too"
        return [
            View("Paths between two variables", self.picture, board=False),
            View(title, lambda _: still, height=1.4, ahead=True, board=False),
            View("All paths", self.listed, height=0.5, board=False),
            View("The tables: drag a bar", lambda _: bars, height=1.4, board=False),
        ]

    def verdicts(self, now: int) -> list[str]:
        """Return what is known of every path at a step."""
        step = self.steps[now]
        found = []
        for k, path in enumerate(step.paths):
            if path in step.open_paths:
                found.append("open")
            elif k < step.following[0] and (k < step.index or step.lets is False):
                found.append("blocked")
            else:
                found.append("?")
        return found

    def picture(self, now: int) -> Figure:
        """Draw the path of the step, and beside its variable what it does."""
        step = self.steps[now]
        path = step.paths[step.index] if step.kind else ()
        on = {frozenset(pair) for pair in pairwise(path)}
        width = [ON_PATH if frozenset(edge) in on else marks.ARROW for edge in self.edges]
        lit = [path[step.at]] if step.kind else [self.a, self.b]
        does = {lit[0]: _DOES[bool(step.lets)]} if step.kind else {}
        lines = self.arrows._replace(width=np.array(width))
        look = Look(
            self.shares, self.task.evidence, lines, lit=lit, does=does, before=self.task.prior,
            strong="dashed frame: the variable of this step, or the two ends",
            told=f"green: how far news<br>of {self.a} passes" * bool(now or step.open_paths),
        )  # fmt: skip
        figure = marks.network(self.task, look)
        return {**figure, "data": [*self._news(now), *figure["data"]]}

    def _news(self, now: int) -> list[dict]:
        """Tint the cards that news reaches, with bands between them, and a cross at a block."""
        last = {step.index: step for step in self.steps[1 : now + 1]}  # the last look at each path
        opened = self.steps[now].open_paths
        ways, reached, blocked = [list(path) for path in opened], {self.a}, [plane.GAP]
        reached |= {x for path in opened for x in path}
        for step in last.values():
            path = step.paths[step.index]
            if path in opened:
                continue
            ways.append(list(path[: step.at + 1]))
            reached |= set(path[: step.at + bool(step.lets)])
            if not step.lets:
                _, frame = marks.arrows(self.task, [(path[step.at - 1], path[step.at])])
                blocked.append(frame)
        pairs = list(dict.fromkeys(pair for way in ways for pair in pairwise(way)))
        bands = np.stack(marks.arrows(self.task, pairs), axis=1)  # they end at the cards' frames
        cards = reached if ways else set()
        cross = {"symbol": "x", "size": 17}
        return [
            marks.tinted(self.task, [x for x in self.task.names if x in cards], PALETTE[2]),
            plane.line(
                plane.joined(list(bands)), line={"width": _BAND, "color": PALETTE[2]},
                opacity=0.45, name=f"band: how far news of {self.a} passes",
            ),
            plane.line(np.concatenate(blocked), mode="markers", marker=cross, name="blocked"),
        ]  # fmt: skip

    def listed(self, now: int) -> Figure:
        """Write all paths, with their verdicts."""
        step, verdicts = self.steps[now], [_VERDICTS[verdict] for verdict in self.verdicts(now)]
        rows = max(len(step.paths), 2)
        names = max((len(self.written(path, names=True)) for path in step.paths), default=0)
        lines = [
            f"{'▸ ' if step.kind and k == step.index else ''}"
            f"{self.written(path, names=names <= _FITS)}   {verdict}"
            for k, (path, verdict) in enumerate(zip(step.paths, verdicts, strict=True))
        ]
        places = np.column_stack([np.zeros(len(lines)), -np.arange(len(lines), dtype=float)])
        trace = texts(
            places.reshape(-1, 2) if lines else np.array([[0.0, 0.0]]), lines or ["no path at all"],
            textposition="middle right", textfont={"size": 16}, name="a path, with its verdict",
        )  # fmt: skip
        return {"data": [trace], "layout": without_axes((0.0, 1.0, 0.6 - rows, 0.6))}

    def written(self, path: Path, *, names: bool = False) -> str:
        """Write a path with its arrows, in letters or in whole names."""
        written = [x if names else marks.letter(x) for x in path]
        text = written[0]
        for (u, x), name in zip(pairwise(path), written[1:], strict=True):
            text += f" {'→' if u in self.task.network[x].parents else '←'} {name}"
        return text

    def numbers(self) -> Figure:
        """Draw P(b) for both values of a."""
        bars = {
            "type": "bar", "name": f"P({self.b})", "x": [0, 1],
            "y": np.nan_to_num(self.effect).tolist(),
            "marker": {"color": [PALETTE[0], PALETTE[4]]}, "hoverinfo": "skip",
        }  # fmt: skip
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.6, 1.6], "tickvals": [0, 1],
                "ticktext": [f"{self.a}: {marks.VALUES[value]}" for value in (YES, NO)],
            },
            yaxis={"title": {"text": f"{self.b}: yes"}, "range": [0, 1.03], "nticks": 6},
        )  # fmt: skip
        return {"data": [bars], "layout": layout}

    def caption(self, now: int) -> str:
        """Write what the variable does and why; at the end the verdict."""
        step = self.steps[now]
        paths = counted(len(step.paths), "path")
        if now == 0 and step.event != "finished":
            joined = "joins" if len(step.paths) == 1 else "join"
            what = f"{paths} {joined} {self.a} and {self.b}. Is one of them open?"
            return f"{what}\n{self._given()}."
        if step.event == "finished":
            what = self._verdict()
            rule = self._why(now) if step.kind else "No variable is on a path between them."
            return f"{what}\n{rule}"
        x = step.paths[step.index][step.at]
        does = "lets this path through" if step.lets else "blocks this path"
        whole = self.written(step.paths[step.index], names=True)
        return f"{x} {does}: {whole}.\n{self._why(now)}"

    def _given(self) -> str:
        seen = [f"{x} is {marks.VALUES[value]}" for x, value in self.task.evidence.items()]
        return f"Given: {listed(seen)}" if seen else "Nothing is given"

    def _verdict(self) -> str:
        """Write whether the two are separated."""
        end = self.steps[-1]
        if end.separated:
            return (
                f"No path is open: {self.a} and {self.b} are independent, whatever the tables are."
            )
        count, of = len(end.open_paths), counted(len(end.paths), "path")
        are = "is" if count == 1 else "are"
        return f"{count} of {of} {are} open: {self.a} says something about {self.b}."

    def _why(self, now: int) -> str:
        """Write which of the three cases it is, and whether the variable is given."""
        step = self.steps[now]
        assert step.kind is not None
        u, x, v = step.paths[step.index][step.at - 1 : step.at + 2]
        given = [each for each in (x, *descendants(self.task.network, x)) if each in step.given]
        if step.kind != "collider":
            known = "is given" if x in step.given else "is not given"
            rule = "blocks if it is given"
        else:
            known = "is not given, nor is a descendant"
            if given:
                known = "is given" if x in given else f"has a given descendant: {listed(given)}"
            rule = "lets through only if it or a descendant is given"
        ends = f"{u} and {v}"
        shape = f"a {step.kind} ({_SHAPES[step.kind]})"
        return f"Between {ends}, {x} is {shape}, which {rule}. {x} {known}."

    def answer(self, now: int) -> str:
        """Write the two numbers, which later steps explain."""
        told = [
            f"{number(p)} if {self.a} is {marks.VALUES[value]}"
            for value, p in zip((YES, NO), self.effect.tolist(), strict=True)
            if np.isfinite(p)  # no number if the value cannot be
        ]
        if not told:
            return "What is seen cannot be."
        return f"By all paths together, {self.b} has {', '.join(told)}."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether the next variable lets its path through."""
        step, after = self.steps[now], self.steps[now + 1]
        index, at = step.following
        path = step.paths[index]
        x = path[at]
        right, wrong = (Option("it lets the path through"), Option("it blocks the path"))
        if not after.lets:
            right, wrong = wrong, right
        assert kind_of(self.task.network, path, at) == after.kind
        text = f"The path {self.written(path)} comes to {x}. {self._given()}. What does {x} do?"
        return question(text, right, [wrong], self._why(now + 1))
