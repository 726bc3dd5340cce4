"""Evidence, one piece after the other: bars in the cards, and the rows of the joint table."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.graphs.belief_networks.examples import YES
from algorithms.graphs.belief_networks.explaining_away import explained_away, without
from algorithms.graphs.belief_networks.joint import JointTableStep
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import listed, number
from viz.graphs.belief_networks import marks
from viz.graphs.belief_networks.marks import Look, Task

_BOLD = {"size": 15, "weight": 700}
STAYS = 1e-9  # a smaller change is none
CLEAR = 0.004  # changes between the two are not asked about
_OVER_TIME = ("filled: now", "outline: before", "dashed: seen last")
_FEW = 16  # rows whose values are written below them, and
_NAMES = 0.2  # of their width: beside them, for the names of the variables


class JointTable(Show[JointTableStep]):
    """What is seen strikes rows of the joint table, and every bar answers."""

    note = (
        "A card's bar and its number are the probability of yes. Press a card: its variable is "
        "seen as yes, then as no, then not seen."
    )
    unit = "evidence"
    opens = 1

    def __init__(self, run: Run, task: Task, picked: str) -> None:
        """Keep the shares of all steps. picked : the variable whose number the caption explains."""
        super().__init__(run)
        self.task, self.picked = task, picked
        self.shares = [marks.shares(step.posteriors) for step in self.steps]
        self.arrows = marks.arrows_of(task)
        rows = np.array(list(np.ndindex(*self.steps[0].joint.shape)))[::-1]
        own = rows[:, task.names.index(picked)]
        self.order = np.argsort(-own, kind="stable")  # those with the picked variable first
        self.rows = rows[self.order]

    def views(self) -> list[View]:
        """Return the network, the joint table, and the tables."""
        still = marks.tables(self.task.network)
        return [
            View("The network: pick a card", self.picture, board=False),
            View("The joint table, row by row", self.joint, board=False),
            View("The tables: drag a bar", lambda _: still, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the cards with what is known at this step."""
        known = self.known(now)
        look = Look(
            self.shares[now], known, self.arrows, lit=list(known)[-1:],
            before=self.shares[max(now - 1, 0)], strong="dashed frame: what is seen last",
            told="<br>".join(["blue: yes; ochre: no", *_OVER_TIME[: 3 * (now > 0)]]),
            split=self.picked,
        )  # fmt: skip
        return marks.network(self.task, look)

    def known(self, now: int) -> dict[str, int]:
        """Return the evidence so far."""
        return {name: self.task.evidence[name] for name in self.steps[now].seen}

    def joint(self, now: int) -> Figure:
        """Draw the rows: those that are ruled out are outlines only."""
        x = np.arange(len(self.rows))
        index = self.task.names.index(self.picked)
        yes = self.rows[:, index] == YES
        left, all_rows = (_rows(self.steps[k].joint)[self.order] for k in (now, 0))
        name = self.picked
        outline = {"color": "rgba(0,0,0,0)", "line": {"width": 1, "color": GREY}}
        traces = [
            _bars(x, all_rows, "ruled out", outline),
            _bars(x, np.where(yes, left, 0.0), f"{name}: yes", {"color": PALETTE[0]}),
            _bars(x, np.where(yes, 0.0, left), f"{name}: no", {"color": PALETTE[4]}),
        ]  # fmt: skip
        few = len(x) <= _FEW
        names, room = self.task.names, _NAMES * len(x) * few
        ticks, at = [""] * len(x), x.tolist()
        if few:
            ticks = ["<br>".join(self._literals(row)) for row in self.rows]
            ticks, at = ["<br>".join(names), *ticks], [-0.7 - room / 2, *at]
        written = "letter: yes, dot: no"
        if not few:
            written = f"{len(x)} rows: {marks.letters(names)}, {self.picked} on the left"
        layout = curves.panel_layout(
            xaxis={
                "range": [-0.7 - room, len(x) - 0.3], "tickvals": at, "ticktext": ticks,
                "tickangle": 0, "title": {"text": written, "standoff": 4}, "tickfont": _BOLD,
            },
            yaxis={
                "title": {"text": "P(row)"}, "range": [0, 1.1 * float(all_rows.max())], "nticks": 4,
            },
        )  # fmt: skip
        layout |= {"barmode": "overlay"}
        layout["margin"]["b"] = 18 * len(names) + 28 if few else 44
        return curves.with_legend({"data": traces, "layout": layout})

    def _literals(self, row: ndarray) -> list[str]:
        """Write a row's values, one below the other: a letter for yes, a dot for no."""
        values = zip(self.task.names, row.tolist(), strict=True)
        return [marks.letter(name) if value == YES else "·" for name, value in values]

    def caption(self, now: int) -> str:
        """Write how the picked variable changes, its quotient, and which variable changes most."""
        if now == 0:
            what = f"Nothing is seen yet: {self.picked} has the probability {self._share(0)}."
            return f"{what}\n{self._rule(now)}"
        name = self.steps[now].seen[-1]
        said = f"{name} is seen: {marks.VALUES[self.task.evidence[name]]}."
        free = [each for each in self.task.names if each not in self.steps[now].seen]
        if not free:
            return f"{said} Every variable is seen now.\n{self._rule(now)}"
        before, after = self.shares[now - 1], self.shares[now]
        changes = {each: after[each] - before[each] for each in free}
        most = max(free, key=lambda each: abs(changes[each]))
        if abs(changes[most]) < STAYS:
            return f"{said} No other variable changes.\n{self._rule(now)}"
        told = [most]
        if abs(changes.get(self.picked, 0.0)) >= STAYS:
            told = list(dict.fromkeys([self.picked, most]))  # the picked one first
        moves = [
            f"{each} {'rises' if changes[each] > 0 else 'falls'} from "
            f"{marks.share(before[each])} to {marks.share(after[each])}"
            for each in told
        ]
        most_changed = f"{moves[1]}. " if len(moves) > 1 else ""
        others = most_changed + "".join(f"{each} is seen next." for each in self._next(now))
        because = away = ""
        if effect := self._explained(now):
            first, then = (self._without(k, effect) for k in (now - 1, now))
            partly = "" if first == then else "partly "
            because = f", {partly}because {name} explains {effect}"
            away = self._away(now, effect, first, then)
        lines = [f"{said} {moves[0]}{because}.", away, self._rule(now), others]
        return "\n".join(line.strip() for line in lines if line)

    def _without(self, now: int, effect: str) -> str:
        """Write the share that the picked cause would have if the effect were not seen."""
        return marks.share(without(self.task.network, self._seen(now), effect, self.picked))

    def _away(self, now: int, effect: str, first: str, then: str) -> str:
        """Write how much the effect raised the picked cause before, and how much it does now.

        first, then : the cause's shares without the effect, before and now.
        """
        network, name = self.task.network, self.picked
        raised = (
            f"{effect} raised {name} from {first} to {self._share(now - 1)}, and now from {then} "
            f"to {self._share(now)}."
        )
        newest = self.steps[now].seen[-1]
        through = [
            cause
            for cause in network[name].parents
            if cause in network[newest].parents and cause not in self.steps[now].seen
        ]
        if first == then or not through:
            return raised
        return (
            f"{raised} The rest of the change, {first} to {then}, comes through {listed(through)}."
        )

    def _next(self, now: int) -> Sequence[str]:
        """Return what is seen at the next step: it is already chosen."""
        return self.steps[now + 1].seen[-1:] if now + 1 < len(self.steps) else ()

    def _explained(self, now: int) -> str | None:
        """Return the effect of the picked variable that the newest evidence explains away."""
        return explained_away(self.task.network, self._seen(now), self.picked)

    def _seen(self, now: int) -> dict[str, int]:
        """Return the evidence so far, in the order in which it was seen."""
        return {name: self.task.evidence[name] for name in self.steps[now].seen}

    def _share(self, now: int) -> str:
        return marks.share(self.shares[now][self.picked])

    def _rule(self, now: int) -> str:
        """Write a sentence: the picked variable's number, a quotient of two sums of rows."""
        step, known, x = self.steps[now], self.known(now), marks.letter(self.picked)
        if self.picked in known:
            return f"Picked: {self.picked} is seen, and needs no sum. Pick another card."
        both, whole = float(step.rows_with(self.picked)[YES]), step.probability
        if not known:
            count = int((self.rows[:, self.task.names.index(self.picked)] == YES).sum())
            return (
                f"Picked: {self.picked}. The {count} rows with yes add up to P({x}) = "
                f"{number(both)}."
            )
        return (
            f"Picked: {self.picked}. The bars left in the table add up to {number(whole)}, those "
            f"with {self.picked}: yes to {number(both)}; {number(both)} / {number(whole)} = "
            f"{number(both / whole)}."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask whether another variable rises, falls or stays with the next piece of evidence."""
        before, after, seen = self.shares[now], self.shares[now + 1], self.steps[now + 1].seen
        name = seen[-1]
        clear = [
            each
            for each in self.task.names
            if each not in seen and not STAYS < abs(after[each] - before[each]) < CLEAR
        ]
        if not clear:
            return None
        x = str(rng.choice(clear))
        change = after[x] - before[x]
        ways = [Option("it rises"), Option("it falls"), Option("it stays the same")]
        right = 2 if abs(change) <= STAYS else int(change < 0)
        others = [way for i, way in enumerate(ways) if i != right]
        known = f"Seen so far: {marks.seen(self.known(now))}. " if now else ""
        text = (
            f"{known}Next, {name} is seen: {marks.VALUES[self.task.evidence[name]]}. What happens "
            f"to the probability of {x}?"
        )
        reason = f"It was {marks.share(before[x])}, and is {marks.share(after[x])} then."
        return question(text, ways[right], others, reason)


def _rows(joint: ndarray) -> ndarray:
    """Return the rows of a joint table, all yes first."""
    return joint.ravel()[::-1]


def _bars(x: ndarray, heights: ndarray, name: str, marker: dict) -> dict:
    return {
        "type": "bar", "name": name, "x": x.tolist(), "y": heights.tolist(), "marker": marker,
        "hoverinfo": "skip",
    }  # fmt: skip
