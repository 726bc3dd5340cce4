"""Variable elimination: cards that share a table are joined, and a card goes with every step."""

from itertools import combinations

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.belief_networks.elimination import EliminationStep, entries, following
from algorithms.graphs.belief_networks.examples import YES
from algorithms.graphs.belief_networks.network import Factor
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE
from viz.core.words import counted, number
from viz.graphs.belief_networks import marks
from viz.graphs.belief_networks.marks import Lines, Look, Task

JOINED, NEW = 2.0, 5.0  # pixels
_FEW = 8  # sums whose places are written below them


class Elimination(Show[EliminationStep]):
    """One variable is summed out per step."""

    opens = 1

    note = "Lines join variables that share a table. Variables that are seen are in no table."

    def __init__(self, run: Run, task: Task, order: str) -> None:
        """Keep the pairs of variables, which may share a table. order : of the run."""
        super().__init__(run)
        self.task, self.order, self.query = task, order, self.steps[0].query
        self.pairs = list(combinations(task.names, 2))
        self.start, self.end = marks.arrows(task, self.pairs)
        variables = [step.variable for step in self.steps]
        self.gone = [[v for v in variables[: k + 1] if v] for k in range(len(variables))]

    def views(self) -> list[View]:
        """Return the network, the product and its sums, and the tables."""
        still = marks.tables(self.task.network)
        return [
            View("Variables that share a table", self.picture, board=False),
            View("Products of this step, stacked to sums", self.sums, board=False),
            View("The tables: drag a bar", lambda _: still, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw who shares a table with whom; what the new table joins is thick."""
        step = self.steps[now]
        width = [
            NEW if {a, b} <= set(step.left.names)
            else JOINED if any({a, b} <= set(f.names) for f in step.factors)
            else 0.0
            for a, b in self.pairs
        ]  # fmt: skip
        posterior = step.posterior
        shares = {name: float(value) for name, value in self.task.evidence.items()}
        if posterior is not None:
            shares[self.query] = float(posterior[YES])
        look = Look(
            shares, self.task.evidence, Lines(self.start, self.end, np.array(width)), arrow=False,
            lit=[self.query], gone=self.gone[now], asked=self.query, pale=True,
            before={name: self.task.prior[name] for name in shares},
            does=self._does(now, posterior is not None), words=[self._new_table(step)],
            strong="dashed frame: asked for", edge="line: the two share a table; thick: a new one",
        )  # fmt: skip
        return marks.network(self.task, look)

    def _does(self, now: int, finished: bool) -> dict[str, str]:
        """Write on the cards what becomes of them."""
        left = set(self.task.names) - {self.query, *self.task.evidence}
        does = {v: "summed out" if v in self.gone[now] else "to sum out" for v in left}
        return does if finished else does | {self.query: "asked for"}

    def _new_table(self, step: EliminationStep) -> tuple[ndarray, str, str]:
        """Write the table that a step leaves between the variables that it joins."""
        names = step.left.names if step.variable else ()
        if len(names) < 2:
            return self.task.places[0], " ", "top center"
        places = [self.task.places[self.task.names.index(name)] for name in names]
        middle = np.mean(places, axis=0) + np.array([0, 0.05])
        return middle, f"table τ({marks.letters(names)})", "top center"

    def sums(self, now: int) -> Figure:
        """Draw the entries of the product; those that are added stand on each other."""
        step = self.steps[now]
        product, v = step.product, step.variable
        if now == 0:
            product = max(step.factors, key=lambda factor: factor.table.size)
        rest = tuple(name for name in product.names if name != v)
        if v is None:
            parts = [product.table.ravel()[::-1], np.zeros(product.table.size)]
        else:
            both = np.moveaxis(product.table, product.names.index(v), 0)
            parts = [both[1].ravel()[::-1], both[0].ravel()[::-1]]
        names = [f"{v}: {value}" for value in ("yes", "no")] if v else ["entry of the table", " "]
        x = np.arange(len(parts[0]))
        few = len(x) <= _FEW
        ticks = ["<br>".join(_literals(rest, index)) for index in _yes_first(rest)]
        wide = "" if few else f"{marks.letters(rest)}, all yes on the left"
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.6, len(x) - 0.4], "tickvals": x.tolist(), "tickangle": 0,
                "ticktext": ticks if few else [""] * len(x), "title": {"text": wide, "standoff": 4},
            },
            yaxis={"title": {"text": self._height(now)}, "rangemode": "tozero", "nticks": 4},
        )  # fmt: skip
        layout["margin"]["b"] = 18 * max(len(rest), 1) + 8 if few else 44
        bars = [
            {"type": "bar", "name": name, "x": x.tolist(), "y": heights.tolist(),
             "marker": {"color": ink}, "hoverinfo": "skip", "showlegend": name != " "}
            for name, heights, ink in zip(names, parts, (PALETTE[0], PALETTE[4]), strict=True)
        ]  # fmt: skip
        figure = {"data": bars, "layout": layout | {"barmode": "stack"}}
        return curves.with_legend(figure, traceorder="normal")

    def _height(self, now: int) -> str:
        """Write what the height of a stack is."""
        step = self.steps[now]
        if now == 0:
            return self._name(max(step.factors, key=lambda factor: factor.table.size), 0)
        return f"τ({marks.letters(step.left.names)})" if step.variable else "product"

    def _name(self, factor: Factor, now: int) -> str:
        """Write a factor: P(R | C), or tau with the index of the step that made it."""
        if not factor.of:
            return f"τ({marks.letters(factor.names)})"
        parents, seen = self.task.network[factor.of].parents, self.task.evidence
        written = [
            marks.literal(name, seen[name]) if name in seen else marks.letter(name)
            for name in (factor.of, *parents)
        ]
        given = f" | {', '.join(written[1:])}" if parents else ""
        return f"P({written[0]}{given})"

    def caption(self, now: int) -> str:
        """Write which variable goes, and the largest sum with its products."""
        step, query = self.steps[now], self.query
        product = " · ".join(self._name(factor, now) for factor in step.used or step.factors)
        if now == 0:
            return self._begin(product)
        if step.event == "finished":
            weights = step.product.table[::-1]
            p = number(weights[0] / weights.sum())
            sizes = [each.product.table.size for each in self.steps[1:]]
            parts = f"{' + '.join(map(str, sizes))} = " * (len(sizes) > 1)
            return (
                f"{query} is yes with probability {marks.share(weights[0] / weights.sum())}.\n"
                f"{product} for yes, divided by its sum: {number(weights[0])} / "
                f"({' + '.join(map(number, weights))}) = {p}. All products: {parts}{step.rows}."
            )
        size = step.product.table.size
        what = f"{step.variable} is summed out: {size} products, added two by two."
        return f"{what}\n{self._rule(now, product)}"

    def _begin(self, product: str) -> str:
        """Write what is asked for, as a sum of products."""
        query, evidence = self.query, self.task.evidence
        left = [name for name in self.task.names if name != query and name not in evidence]
        sums = f"Σ over {marks.letters(left)} of " if left else ""
        both = ", ".join([marks.letter(query), *([marks.seen(evidence)] if evidence else [])])
        what = f"{query} is asked for: {counted(len(left), 'variable')} to sum out."
        return f"{what}\nP({both}) = {sums}{product}."

    def _rule(self, now: int, product: str) -> str:
        """Write tau with its formula and its largest entry."""
        step = self.steps[now]
        v = step.variable
        assert v is not None
        tau = step.left
        at = np.unravel_index(int(tau.table.argmax()), tau.table.shape) if tau.names else ()
        both = np.moveaxis(step.product.table, step.product.names.index(v), 0)[:, *at]
        values = dict(zip(tau.names, map(int, at), strict=True))
        where = ", ".join(marks.literal(name, value) for name, value in values.items())
        terms = [
            " · ".join(number(_entry(f, values | {v: value})) for f in step.used)
            for value in (1, 0)
        ]
        name = f"τ({marks.letters(tau.names)})" if tau.names else "τ"
        entry = f"τ({where})" if tau.names else "τ"
        return (
            f"Each entry of {name} adds the product {product} with {v} and without; the largest: "
            f"{entry} = {' + '.join(terms)} = {number(float(both.sum()))}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask over which variables the next table is."""
        step, after = self.steps[now], self.steps[now + 1]
        v = following(self.task.network, self.task.evidence, self.order, step)
        if v is None or not after.left.names:
            return None
        there = [n for n in self.task.names if any(n in f.names for f in step.factors)]
        right = set(after.left.names)
        others = [
            right | {v},
            *({*right} ^ {n} for n in there if n != v),
            {n for n in there if n != v},
        ]
        wrong = [Option(self._over(other)) for other in others if other and other != right]
        used = " · ".join(self._name(factor, now) for factor in after.used)
        reason = (
            f"Every table with {marks.letter(v)} is multiplied: {used}. The sum keeps all their "
            f"variables but {marks.letter(v)}. The product has {entries(step.factors, v)} entries."
        )
        text = f"{v} is summed out next. Over which variables is the table that is left of it?"
        return question(text, Option(self._over(right)), wrong, reason)

    def _over(self, names: set[str]) -> str:
        """Write variables in the order of the network."""
        return f"over {marks.letters([name for name in self.task.names if name in names])}"


def _entry(factor: Factor, values: dict[str, int]) -> float:
    """Return the entry of a factor at the values of its variables."""
    return float(factor.table[tuple(values[name] for name in factor.names)])


def _yes_first(names: tuple[str, ...]) -> list[tuple[int, ...]]:
    return [tuple(index) for index in np.ndindex(*(2,) * len(names))][::-1]


def _literals(names: tuple[str, ...], index: tuple[int, ...] | ndarray) -> list[str]:
    return [marks.literal(name, value) for name, value in zip(names, index, strict=True)] or ["all"]
