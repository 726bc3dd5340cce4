"""A-priori on the lattice of all sets of items: counted, pruned, or never built."""

import numpy as np
from numpy.random import Generator

from algorithms.clustering.apriori.apriori import AprioriStep, Itemset
from algorithms.clustering.apriori.examples import Baskets
from viz.clustering.apriori.marks import (
    FREQUENT,
    INFREQUENT,
    PRUNED,
    Table,
    letters,
    share,
    words,
)
from viz.core import curves
from viz.core.graph import Look
from viz.core.lattice import Lattice
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import capital, counted, number

_SIGNS = {
    "points": "circle: frequent; square: counted and infrequent; diamond: pruned, not counted; "
    "number: the baskets that hold the set",
    "strength": "small and faint: still possible",
    "size": "large: counted or pruned; no node and a grey name: a part of the set is infrequent",
    "edges": "bold line: both are frequent; thin: the lower one is still possible",
    "ringed": "the set at hand, and the infrequent part that prunes it",
    "path": "from the infrequent part to the set that it prunes",
}
_SIZE, _BOLD, _THIN, _PALE = 3.6, 2.5, 0.5, 0.6
_WAITING = 1.6  # size of a set that is still possible
_KEY = [
    f'<span style="color:{PALETTE[FREQUENT]}">●</span> frequent',
    f'<span style="color:{PALETTE[INFREQUENT]}">■</span> counted, too rare',
    f'<span style="color:{PALETTE[PRUNED]}">◆</span> pruned: a part is rare',
    f'<span style="color:{PALETTE[FREQUENT]}99">●</span> still possible',
    f'<span style="color:{GREY}">grey: ruled out</span>',
]


class Itemsets(Show[AprioriStep]):
    """The lattice, small sets above and large ones below."""

    note = (
        "A set stands below its parts. As soon as one of them is infrequent, so is the set: then "
        "only its name is left, in grey."
    )

    def __init__(self, run: Run, table: Baskets, min_support: float, edited: int) -> None:
        """Lay out the lattice and the table.

        min_support : a share. edited : the basket whose items can be changed.
        """
        super().__init__(run)
        self.baskets, self.min_support = table, min_support
        below = [0, *[1] * len(table.items)]  # names, through which no line runs
        self.lattice = Lattice(
            letters(table), _SIGNS, size=_SIZE, key=_KEY, above=True, lines=below
        )
        self.table = Table(table, edited)
        m = len(table.items)
        rare = (t for t, step in enumerate(self.steps) if len(step.frequent) < len(step.counts))
        self.opens = next(rare, 0)  # a count that rules out larger sets
        self.size = np.array([len(S) for S in self.lattice.subsets])
        self.possible = np.bincount(self.size, minlength=m + 1)[1:]

    def views(self) -> list[View]:
        """Return the lattice, the table, and what was counted of every size."""
        return [
            View("All sets of items", self.picture, board=False),
            View("The baskets", self.rows, board=False),
            View("Sets by size", self.by_size, board=False),
        ]

    def rows(self, now: int) -> Figure:
        """Draw the baskets, with the set at hand, or the infrequent part that prunes it."""
        step = self.steps[now]
        shown = next(iter(self._lit(step)), ())
        rare = bool(shown) and shown not in step.frequent
        return self.table.draw(shown, INFREQUENT if rare else FREQUENT)

    def picture(self, now: int) -> Figure:
        """Draw the lattice as it is known at a step."""
        step, lattice = self.steps[now], self.lattice
        frequent, pruned = step.frequent, dict(step.pruned)
        bad = [set(S) for S, _ in step.counts if S not in frequent]
        ruled_out = self._ruled_out(step)
        group = np.full(len(lattice.subsets), FREQUENT)
        size, strength = np.full(len(group), _WAITING), np.full(len(group), _PALE)
        size[0], strength[0] = _SIZE, 1.0
        for i, S in enumerate(lattice.subsets):
            if S in frequent:
                size[i], strength[i] = _SIZE, 1.0
            elif set(S) in bad:
                group[i], size[i], strength[i] = INFREQUENT, _SIZE, 1.0
            elif S in pruned:
                group[i], size[i], strength[i] = PRUNED, _SIZE, 1.0
            elif S in ruled_out:
                size[i] = 0.0
        solid = np.array([S in frequent or not S for S in lattice.subsets])
        above, below = lattice.links.T
        possible = solid[above] & (size[below] > 0) & (group[below] == FREQUENT)
        width = np.where(solid[below], _BOLD, np.where(possible, _THIN, 0.0))
        lit = [lattice.index[S] for S in self._lit(step)]
        counts = dict(step.counts)
        names = [
            f"{name} {counts[S]}" if S in counts else name
            for name, S in zip(lattice.names, lattice.subsets, strict=True)
        ]
        look = Look(
            size, width, names, strength=strength, ringed=lit,
            path=lit if len(lit) > 1 else (),
        )  # fmt: skip
        return lattice.draw(group, look)

    def _ruled_out(self, step: AprioriStep) -> set[Itemset]:
        """Return the sets that were not counted, and need not be: a part of them is infrequent."""
        known, frequent = dict(step.counts), step.frequent
        bad = [set(S) for S in known if S not in frequent]
        left = (S for S in self.lattice.subsets if S not in known)
        return {S for S in left if any(part < set(S) for part in bad)}

    def _lit(self, step: AprioriStep) -> list[Itemset]:
        """Return the set at hand, after the infrequent part if that prunes it."""
        if not step.candidate:
            return []
        part = dict(step.pruned).get(step.candidate)
        return [part, step.candidate] if part else [step.candidate]

    def by_size(self, now: int) -> Figure:
        """Draw, for every size, how many sets there are, and what became of them."""
        step, m = self.steps[now], len(self.baskets.items)
        sizes = list(range(1, m + 1))
        counted_ones = np.bincount([len(S) for S, _ in step.counts], minlength=m + 1)[1:]
        frequent = np.bincount([len(S) for S in step.frequent], minlength=m + 1)[1:]
        pruned = np.bincount([len(S) for S, _ in step.pruned], minlength=m + 1)[1:]
        traces = [
            {
                "type": "bar", "name": name, "x": sizes, "y": heights.tolist(),
                "showlegend": bool(heights.any()),
                "marker": {"color": fill}, "hoverinfo": "skip", "base": base.tolist(),
            }
            for name, heights, base, fill in (
                ("all sets", self.possible, 0 * frequent, "rgba(122, 127, 135, 0.2)"),
                ("frequent", frequent, 0 * frequent, PALETTE[FREQUENT]),
                ("too rare", counted_ones - frequent, frequent, PALETTE[INFREQUENT]),
                ("pruned", pruned, counted_ones, PALETTE[PRUNED]),
            )
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "items in the set", "standoff": 4}, "tickvals": sizes},
            yaxis={"range": [0, 1.1 * int(self.possible.max())], "nticks": 5},
        )
        layout["barmode"] = "overlay"  # both kinds of counted sets are among all
        return curves.with_legend({"data": traces, "layout": layout})

    def _name(self, S: Itemset) -> str:
        return self.lattice.name(S)

    def caption(self, now: int) -> str:
        """Write what became of the candidate, and how many sets were counted so far."""
        step, n = self.steps[now], self.steps[now].baskets
        if now == 0:
            return (
                f"{len(self.possible)} items make {int(self.possible.sum())} sets: which are in at "
                f"least {step.least} of {n} baskets?\n"
                "Single items are counted first."
            )
        S, part = step.candidate, dict(step.pruned).get(step.candidate)
        counts = dict(step.counts)
        if part is None:
            enough = counts[S] >= step.least
            verdict, sign = ("frequent", "not below") if enough else ("infrequent", "below")
            first = f"{words(self.baskets, S)} is {verdict}"
            rest = "." if enough else ": no larger set with it can be frequent."
            lines = [
                f"{capital(first)}, in {counts[S]} of {n} baskets{rest}",
                f"Support is the share of the baskets that hold the set: {share(counts[S], n)}, "
                f"{sign} the minimum of {self._least(step)}.",
            ]
        else:
            lines = [
                f"{self._name(S)} is pruned without counting: its part {self._name(part)} is "
                "infrequent.",
                f"No basket holds {self._name(S)} without {self._name(part)}, whose support, "
                f"{share(counts[part], n)}, is below the minimum of {self._least(step)}.",
            ]
        tally = self._tally(step)
        if step.event == "finished":
            return "\n".join(
                [tally, self._spared(step), f"The last set: {lines[0][0].lower()}{lines[0][1:]}"]
            )
        return "\n".join([*lines, tally])

    def _least(self, step: AprioriStep) -> str:
        """Write the minimum support, and the baskets that it asks for if that is no whole count."""
        n, least = step.baskets, step.least
        asked = abs(self.min_support * n - least) > 1e-9
        return f"{number(self.min_support)}" + f" ({least} of {n} baskets)" * asked

    def _tally(self, step: AprioriStep) -> str:
        """Write how much was counted, and what this rules out; at the end only the counts."""
        out = len(self._ruled_out(step))
        ruled = f"{out} ruled out (grey)" if out else "none ruled out"
        if step.pruned:
            ruled = f"{out} ruled out, {len(step.pruned)} of them pruned"
        so_far = f"So far, {counted(len(step.counts), 'set')} counted and {ruled}."
        if step.event == "level complete":
            k = len(step.candidate)
            return f"{so_far} Level {k} is complete; sets of {k + 1} items are joined from it."
        if step.event != "finished":
            return so_far
        every, found = int(self.possible.sum()), len(step.frequent)
        only = "Only " if len(step.counts) < every else ""
        if not found:
            return f"{only}{len(step.counts)} of {every} sets had to be counted; none is frequent."
        return (
            f"{only}{len(step.counts)} of {every} sets had to be counted to find the "
            f"{counted(found, 'frequent one')}."
        )

    def _spared(self, step: AprioriStep) -> str:
        """Write how many sets were not counted."""
        pruned = len(step.pruned)
        never = int(self.possible.sum()) - len(step.counts) - pruned
        were = "was" if pruned == 1 else "were"
        said = f"{counted(pruned, 'set')} {were} pruned, because a part is too rare"
        return (
            f"{said if pruned else 'No set was pruned'}; {never or 'none'} never built, as "
            "only two frequent sets that differ in their last item are joined."
        )

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the count of the next candidate, or which set prunes it."""
        before, after = self.steps[now], self.steps[now + 1]
        S, part = after.candidate, dict(after.pruned).get(after.candidate)
        name, n = self._name(S), after.baskets
        known = dict(before.counts)
        if part is not None:
            frequent = before.frequent
            inside = [T for T in known if set(T) < set(S) and T in frequent and len(T) > 1]
            outside = [T for T in known if T not in frequent and not set(T) <= set(S)]
            others = [Option(self._name(T)) for T in (*inside[::-1], *outside)]
            return question(
                f"{name} is not counted. Which infrequent set rules it out?",
                Option(self._name(part)), others,
                f"{self._name(part)} is a part of {name}, and in {known[part]} of {n} baskets.",
            )  # fmt: skip
        right = dict(after.counts)[S]
        parts = [known[T] for T in known if len(T) == len(S) - 1 and set(T) < set(S)]
        tempting = [*([min(parts)] if parts else []), right + 1, right - 1, *parts, right + 2]
        return question(
            f"Next is {words(self.baskets, S)}. How many of the {n} baskets hold {_all(S)}?",
            Option(str(right)),
            [Option(str(each)) for each in tempting if each != right and 0 <= each <= n],
            f"{right} of {n} baskets do, and {after.least} are needed: {name} is "
            f"{'frequent' if right >= after.least else 'infrequent'}.",
        )  # fmt: skip


def _all(S: Itemset) -> str:
    return {1: "it", 2: "both"}.get(len(S), f"all {len(S)}")
