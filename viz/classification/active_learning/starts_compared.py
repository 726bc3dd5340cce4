"""Many starts: the errors of a rule and of chance, on average."""

import numpy as np

from algorithms.classification.active_learning.starts_compared import StartStep
from viz.core import curves
from viz.core.scene import Figure, Run, View
from viz.core.show import AT_THE_END, Show
from viz.core.theme import GREY, PALETTE
from viz.core.words import counted, number

_CHOSEN = 10  # labels: the caption compares there


class Starts(Show[StartStep]):
    """One start more in each step, for the rule and for chance."""

    unit = "start"
    counts_from = 1
    opens = AT_THE_END
    silent = "The next first labels are drawn at random, so nothing shows which errors follow."

    def __init__(self, run: Run, rule: str, judged: int) -> None:
        """Keep the rule. judged : the number of points that count."""
        super().__init__(run)
        self.rule, self.judged = rule, judged
        end = self.steps[-1]
        self.asked = end.by_rule.shape[1] - 1
        self.at = min(_CHOSEN, self.asked)
        self.top = 1.08 * max(float(end.by_rule.max()), float(end.by_chance.max()), 1.0)
        self.note = "The same first labels for both. Thin: this start. Thick: the mean so far."

    def views(self) -> list[View]:
        """Return the errors against labels, and the starts one by one."""
        return [
            View("Wrong predictions, by labels asked for", self.picture, board=False),
            View(
                f"After {counted(self.at, 'label')}: each start; larger: several",
                self.each,
                board=False,
            ),
        ]

    def picture(self, now: int) -> Figure:
        """Draw the mean errors so far of the rule and of chance, and those of this start."""
        step, asked = self.steps[now], range(self.asked + 1)
        look = (("chance", step.by_chance, GREY, "dash"),
                (self.rule, step.by_rule, PALETTE[0], "solid"))  # fmt: skip
        traces = []
        for name, errors, ink, dash in look:
            thick, thin = ({"width": w, "dash": dash, "color": ink} for w in (4, 1.25))
            traces += [
                curves.against(f"{name}, this start", asked, errors[-1], setting="labels",
                               line=thin, mode="lines", opacity=0.6, showlegend=False),
                curves.against(f"{name}, mean", asked, errors.mean(axis=0), setting="labels",
                               line=thick, marker={"size": 5, "color": ink}),
            ]  # fmt: skip
        room = 0.03 * max(self.asked, 1)
        layout = curves.panel_layout(
            xaxis={"title": {"text": "labels asked for", "standoff": 4},
                   "range": [-room, self.asked + room], "nticks": 10},
            yaxis={"title": {"text": f"wrong of {self.judged}"},
                   "range": [-0.03 * self.top, self.top], "nticks": 8},
        )  # fmt: skip
        layout["annotations"] = [
            {"xref": "paper", "x": 1, "xanchor": "right", "yref": "paper", "y": 1, "yanchor": "top",
             "text": "thin: this start", "showarrow": False, "font": {"size": 15}},
        ]  # fmt: skip
        return curves.with_legend({"data": traces, "layout": layout})

    def each(self, now: int) -> Figure:
        """Draw the errors of every start so far: those of the rule against those of chance."""
        step = self.steps[now]
        x, y = step.by_chance[:, self.at], step.by_rule[:, self.at]
        alike = ((x == x[:, None]) & (y == y[:, None])).sum(axis=1)
        end = self.steps[-1]
        most = max(float(errors[:, self.at].max()) for errors in (end.by_chance, end.by_rule))
        top = 1.1 * max(most, 1.0)
        scale = {"range": [-0.05 * top, top], "nticks": 6}
        traces = [
            {"type": "scatter", "mode": "lines+text", "x": [0, 0.9 * top], "y": [0, 0.9 * top],
             "text": ["\u00a0", "equally many"], "textposition": "middle left",
             "textfont": {"size": 14}, "name": "equally many",
             "line": {"width": 1, "dash": "dot", "color": GREY}, "hoverinfo": "skip"},
            {"type": "scatter", "mode": "markers", "x": x.tolist(), "y": y.tolist(),
             "name": "a start; larger: several alike" if alike.max() > 1 else "a start",
             "marker": {"size": (9 * np.sqrt(alike)).tolist(), "opacity": 0.6,
                        "color": PALETTE[0]},
             "hovertemplate": "chance %{x}, rule %{y}<extra></extra>"},
            curves.marked(float(x[-1]), float(y[-1]), name="this start"),
        ]  # fmt: skip
        layout = curves.panel_layout(
            xaxis={"title": {"text": "wrong by chance", "standoff": 4}} | scale,
            yaxis={"title": {"text": f"wrong by {self.rule}"}} | scale,
        )
        return {"data": traces, "layout": layout}

    def _early(self) -> str:
        """Write after how few labels the rule has more errors than chance, on average."""
        end = self.steps[-1]
        worse = end.by_rule.mean(axis=0)[1:] > end.by_chance.mean(axis=0)[1:]
        until = int(np.argmin(np.append(worse, False)))  # the first that is not
        if self.rule == "chance" or not until:
            return ""
        labels = "1 label" if until == 1 else f"1 to {until} labels"
        return f"\nAfter {labels}, {self.rule} has more errors than chance on average."

    def caption(self, now: int) -> str:
        """Write both means, and on how many starts each of them is ahead."""
        step = self.steps[now]
        rule, chance = step.by_rule[:, self.at], step.by_chance[:, self.at]
        better, worse = int((rule < chance).sum()), int((rule > chance).sum())
        means = (number(float(np.mean(errors))) for errors in (rule, chance))
        after = counted(self.at, "label")
        if now == len(self.steps) - 1:
            return (
                f"After {after}, {next(means)} points are wrong by {self.rule} and {next(means)} "
                f"by chance, on average over {counted(now + 1, 'start')}.\n"
                f"{self.rule.capitalize()} has fewer errors on {better} of "
                f"{counted(now + 1, 'start')}, more on {worse}. This start: {rule[-1]} wrong by "
                f"{self.rule}, {chance[-1]} by chance.{self._early()}"
            )
        return (
            f"Start {now + 1}: after {after}, {rule[-1]} wrong by {self.rule}, {chance[-1]} by "
            f"chance.\nMean of {counted(now + 1, 'start')}: {next(means)} by {self.rule}, "
            f"{next(means)} by chance. {self.rule.capitalize()} has fewer errors on {better} of "
            f"{counted(now + 1, 'start')}, more on {worse}."
        )
