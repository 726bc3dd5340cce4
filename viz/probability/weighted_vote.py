"""The worked vote: every hypothesis puts its posterior on the pile of the class it says."""

from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.weighted_vote import WeightedVoteStep
from viz.core import curves
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import PALETTE, figure_on
from viz.core.words import listed, number, numbered

_SIGNS = ("+", "−")


class WeightedVote(Show[WeightedVoteStep]):
    """Three hypotheses and the two piles."""

    unit = "vote"
    opens = AT_THE_END

    def __init__(self, run: Run, posterior: ndarray, answers: ndarray) -> None:
        """Keep the posteriors, divided by their sum, and what the hypotheses say."""
        super().__init__(run)
        self.posterior, self.answers = posterior / posterior.sum(), answers
        self.names = [numbered("h", i) for i in range(len(answers))]
        self.best = int(posterior.argmax())
        self.top = 1.12 * max(0.5, self.steps[-1].plus, self.steps[-1].minus)

    def views(self) -> list[View]:
        """Return the piles and the posteriors."""
        return [
            View("The vote on one new point", self.piles, board=False),
            View("Posteriors of the hypotheses", self.posteriors, board=False),
        ]

    def piles(self, now: int) -> Figure:
        """Draw what has been put on both piles so far."""
        bars = []
        for i, (name, weight) in enumerate(zip(self.names, self.posterior.tolist(), strict=True)):
            said = int(not self.answers[i])
            heights = [weight if i < now and said == k else 0.0 for k in range(2)]
            bars.append(_bars(name, _SIGNS, heights, self._ink(i)))
        step = self.steps[now]
        sums = [("+", step.plus), ("−", step.minus)]
        totals = {
            "type": "scatter", "mode": "text", "x": [*_SIGNS], "y": [weight for _, weight in sums],
            "text": [f"{sign} has {number(weight)}" if weight else "" for sign, weight in sums],
            "textposition": "top center", "textfont": {"size": 18, "weight": 700},
            "hoverinfo": "skip", "showlegend": False,
        }  # fmt: skip
        figure = self._figure([*bars, totals], ("class of the new point", "weight of the votes"))
        figure["layout"]["xaxis"]["tickfont"] = {"size": 24}
        return figure

    def posteriors(self, now: int) -> Figure:
        """Draw the posterior of each hypothesis over what it says; empty once it has voted."""
        said = [f"{n} says {self._sign(i)}" for i, n in enumerate(self.names)]
        bars = [
            _bars(
                name,
                said,
                [w if i == j else 0.0 for j in range(len(said))],
                self._ink(i),
                more=("<br>MAP" if i == self.best else "") + ("<br>voted" if i < now else ""),
                full=i >= now,
            )
            for i, (name, w) in enumerate(zip(self.names, self.posterior.tolist(), strict=True))
        ]
        return self._figure(bars, ("hypothesis", "weight P(h | D)"))

    def _figure(self, traces: list[dict], titles: tuple[str, str]) -> Figure:
        """Put bars on axes that both views share."""
        layout = curves.panel_layout(
            xaxis={"type": "category", "title": {"text": titles[0], "standoff": 4}},
            yaxis={"title": {"text": titles[1]}, "range": [0, self.top], "nticks": 8},
        )
        return {"data": traces, "layout": layout | {"barmode": "stack", "bargap": 0.5}}

    def _ink(self, i: int) -> str:
        """Return the colour of the class that a hypothesis says."""
        return PALETTE[int(not self.answers[i])]

    def _sign(self, i: int) -> str:
        return _SIGNS[int(not self.answers[i])]

    def caption(self, now: int) -> str:
        """Write both piles, and at the end what MAP, the vote and Gibbs say."""
        step = self.steps[now]
        sums = f"On the pile of + {self._sum('+', now)}, on that of − {self._sum('−', now)}."
        if now == 0:
            best = self.names[self.best]
            return (
                f"MAP is {best}, with {number(self.posterior[self.best])}: it says "
                f"{self._sign(self.best)}. How does the vote end?\nEach hypothesis puts its "
                "weight, P(h | D), on the pile of the class that it says."
            )
        if step.event != "finished":
            i = now - 1
            weight = number(self.posterior[i])
            return f"{self.names[i]} says {self._sign(i)}, with the weight {weight}.\n{sums}"
        return (
            f"{self._result()}\n{sums} Gibbs draws one hypothesis by its weight: it says + in "
            f"{number(100 * step.plus)} of 100 draws."
        )

    def _result(self) -> str:
        """Compare the vote with the most probable hypothesis."""
        step, best = self.steps[-1], self._sign(self.best)
        if abs(step.plus - step.minus) < _TIE:
            return f"The vote is a tie; the most probable hypothesis (MAP) says {best}."
        vote = _SIGNS[int(step.plus < step.minus)]
        if vote == best:
            return f"The vote says {vote}, and so does the most probable hypothesis (MAP)."
        return f"The vote says {vote}, although the most probable hypothesis (MAP) says {best}."

    def _sum(self, sign: str, now: int) -> str:
        """Write a pile as a sum."""
        parts = [number(w) for i, w in enumerate(self.posterior[:now]) if self._sign(i) == sign]
        step = self.steps[now]
        total = number(step.plus if sign == "+" else step.minus)
        whole = f"{' + '.join(parts)} = {total}" if len(parts) > 1 else total
        return f"is {whole}"

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for the larger pile after the next vote."""
        after = self.steps[now + 1]
        if abs(after.plus - after.minus) < _TIE:
            return None
        right = _SIGNS[int(after.plus < after.minus)]
        options = {sign: Option(f"the pile of {sign}") for sign in _SIGNS}
        name, sign = self.names[now], self._sign(now)
        text = f"{name} votes next: it says {sign}, with the weight {number(self.posterior[now])}. "
        piles = [f"on the pile of {each} {self._sum(each, now + 1)}" for each in _SIGNS]
        reason = f"Then {listed(piles)}."
        other = options[_SIGNS[1 - _SIGNS.index(right)]]
        return question(f"{text}Which pile is higher then?", options[right], [other], reason)


_TIE = 1e-9


def _bars(
    name: str,
    x: list[str] | tuple[str, ...],
    heights: list[float],
    ink: str,
    more: str = "",
    full: bool = True,
) -> dict:
    rims = [3 if height else 0 for height in heights]  # between bars of one colour
    rim = {"width": rims, "color": "#ffffff" if full else ink}
    return {
        "type": "bar", "name": name, "x": [*x], "y": heights,
        "marker": {"color": ink if full else "rgba(0, 0, 0, 0)", "line": rim},
        "text": [f"{name}: {number(height)}{more}" if height else "" for height in heights],
        "textposition": "inside", "insidetextanchor": "middle", "textangle": 0,
        "textfont": {"size": 18, "color": figure_on(ink) if full else ink},
        "hovertemplate": f"{name}: %{{y:.3g}}<extra></extra>",
    }  # fmt: skip
