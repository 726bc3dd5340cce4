"""Bayes' rule: a thousand icons that sort themselves, the same as areas, and every prevalence."""

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.probability.bayes import PEOPLE, BayesStep, after_positives
from viz.core import curves, plane
from viz.core.graph import note, texts, without_axes
from viz.core.question import Option, Question, question
from viz.core.scene import Figure, Run, View
from viz.core.show import Show
from viz.core.theme import PALETTE, dash, rgb
from viz.core.words import counted, number, percent
from viz.probability import icons

HEALTHY, ILL = 0, 1  # groups, for colours
PERCENTS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)  # ticks of the prevalence
_SIZE = 0.95  # diameter of a person, as a part of the usual point, in a picture of this width:
_USUAL = 44.0  # columns of people
_FAINT = 0.5  # opacity of those who are no longer asked about
_RESULTS = ("", "positive", "two positives", "three positives")
_TIMES = ("", "", " twice", " three times")  # somebody tests positive
_MOST = 0.5  # the highest prevalence on the curve
_EDGE, _HALF = 0.06, 0.2  # of the width: half of the words below the ill, and of those above
_SHORT, _LETTER = 29, 0.015  # letters that fit there, and half a further one, of the width
_CLEAR = 0.015  # between two answers
_LARGE = 0.1  # prevalence from which on words are on the left of the dot
_LINES = 5.0  # rows of people that two lines need
_COLUMN = 3  # columns of the ill that are narrower than the words below them
_THIN = 0.16  # strip of the square, below which its name is written
_NARROW = 0.1  # column of the square, in which its name does not fit


class Bayes(Show[BayesStep]):
    """People who sort themselves by illness and by test."""

    note = (
        "People come in whole numbers, so the picture rounds the average of many thousands. The "
        "probabilities and the curve are not rounded."
    )
    opens = 3  # the answer after one test

    def __init__(self, run: Run, tests: int, repeat: float) -> None:
        """Place everybody at every step. tests : of the run. repeat : share of repeated results."""
        super().__init__(run)
        self.p, rates = self.steps[0].prior, self.steps[0].rates
        rows = icons.rows_for([step.counts for step in self.steps])
        self.sorted = [icons.arranged(step.counts, rows) for step in self.steps]
        self.crowd = icons.crowd(PEOPLE, rows)
        self.box = icons.box([self.crowd, *(each.places for each in self.sorted)], rows)
        middle = (self.box[0] + self.box[1]) / 2
        self.crowd[:, 0] += middle - np.ptp(self.crowd[:, 0]) / 2
        self.sorted = [each.around(middle) for each in self.sorted]
        self.more = rows / icons.ROWS  # a word is as high as more rows are
        self.size = _SIZE * min(1.0, _USUAL / (self.box[1] - self.box[0]), 1 / self.more)
        x = np.geomspace(PERCENTS[0] / 100, _MOST, 120)
        all_tests = f"1 {'or' if tests == 2 else 'to'} {tests} tests"
        same = tests > 1 and repeat == 1  # further tests change nothing: one curve is enough
        self.curves = [
            plane.line(
                np.column_stack([100 * x, after_positives(x, rates, k, repeat)]),
                line={"width": 2, "dash": dash(k - 1)},
                name=all_tests if same else counted(k, "test"),
                showlegend=True,
            )
            for k in range(1, 2 if same else tests + 1)
        ]
        self.keyed = tests > 1

    def views(self) -> list[View]:
        """Return the icons, the curve over all prevalences, and the areas."""
        given = "P(ill | positive) against the prevalence"
        return [
            View("A thousand people", self.picture, board=False),
            View(given, self.by_prevalence, ahead=True, board=False),
            View("The same people as areas", self.areas, board=False),
        ]

    def picture(self, now: int) -> Figure:
        """Draw everybody, with a frame around the positive."""
        step, stand = self.steps[now], self.sorted[now]
        counts = step.counts
        ill, healthy = counts.sum(axis=1).tolist()
        places = self.crowd if step.phase == "everyone" else stand.places
        group = np.repeat([ILL, HEALTHY], [ill, healthy])
        frame = stand.positive if step.results else icons.NO_FRAME
        traces = [
            plane.line(frame, line={"width": 3}, name="frame: tests positive"),
            *self._words(now),
        ]
        signs = {
            "points": "one person: a square is ill, a circle is healthy",
            "strength": "faint: tested negative",
        }
        points = plane.points(
            places, group, size=np.full(PEOPLE, self.size), strength=self._strength(now)
        )  # fmt: skip
        layout = without_axes(self.box)
        return plane.figure(traces, self.box, points=points, signs=signs) | {"layout": layout}

    def _strength(self, now: int) -> ndarray:
        """Return everybody's opacity: a person with a negative result is out."""
        step = self.steps[now]
        out = np.repeat([False, True, False, True], step.counts.ravel())
        return np.where(out & (step.results > 0), _FAINT, 1.0)

    def _words(self, now: int) -> list[dict]:
        """Write how many there are, above the positive and below the others."""
        step, stand = self.steps[now], self.sorted[now]
        ill, healthy = step.counts.sum(axis=1).tolist()
        left, right, bottom, top = self.box
        low, high, wide = bottom + 1.3 * self.more, top - 0.8 * self.more, right - left
        if step.phase == "everyone":
            middle = (left + right) / 2
            places = np.array([[middle, low], [middle, low], [middle, high]])
            written = ["", "", f"{PEOPLE:,} people"]
        else:
            first = max(stand.middles[0], left + _EDGE * wide)
            lowest = np.nanmin([*stand.places[:ill, 1], *stand.positive[:, 1]])
            below = max(lowest - 0.7, low + 0.7 * self.more)  # under the ill and the frame
            places = np.array([[first, below], [stand.middles[1], low], [left, high]])
            both, positive = int(step.counts[0, 0]), int(step.counts[:, 0].sum())
            above = f"{positive} positive" if step.results else ""
            if step.phase == "positive":
                share = f": {_share(both, positive, step.posterior)}" if positive else ""
                above = f"{both} of {positive} positive {'is' if both == 1 else 'are'} ill{share}"
            half = (_HALF + _LETTER * max(0, len(above) - _SHORT)) * wide
            places[2, 0] = np.fmax(stand.positive[:2, 0].mean(), left + half)
            high = lowest - _LINES * self.more > bottom  # there is room for two lines
            short = high and np.ptp(stand.places[:ill, 0]) < _COLUMN
            written = [f"{ill}<br>ill" if short else f"{ill} ill", f"{healthy} healthy", above]
            if step.results:
                out = step.counts[:, 1].tolist()
                apart = "<br>" if high else " "
                written[:2] = [
                    f"{out[0]} ill,{apart}missed" if out[0] else "",
                    f"{out[1]} healthy, negative",
                ]
        font = {"size": 18, "weight": 700, "shadow": "auto"}
        sides = ("bottom center", "middle center", "middle center")
        inks = ({"color": PALETTE[ILL]}, {"color": PALETTE[HEALTHY]}, {})
        return [
            texts(place[None], [text], textfont=font | ink, textposition=side)
            for place, text, ink, side in zip(places, written, inks, sides, strict=True)
        ]

    def by_prevalence(self, now: int) -> Figure:
        """Draw P(ill) after each number of positive results, with a dot at what is shown."""
        step = self.steps[now]
        known = self._known(step)
        early = step.results == 0 or (step.phase, step.results) == ("tested", 1)
        said, sides = percent(known, 2), ("top left", "bottom right")
        if early:
            said, sides = "before the test", ("bottom left", "middle right")
        dot = curves.marked(
            100 * self.p, known, name="now", mode="markers+text",
            textposition=sides[0 if self.p > _LARGE else 1], text=[said],
            textfont={"size": 15, "shadow": "auto"},
        )  # fmt: skip
        traces = [*self.curves, dot]
        ends = np.log10([PERCENTS[0] * 0.9, 110 * _MOST]).tolist()
        layout = curves.panel_layout(
            xaxis={
                "title": {"text": "prevalence in percent, logarithmic", "standoff": 4},
                "type": "log", "range": ends, "tickvals": list(PERCENTS),
                "ticktext": [f"{v:g}" for v in PERCENTS],
            },
            yaxis={
                "title": {"text": "P(ill | positive)"},
                "range": [-0.1, 1.24 if self.keyed else 1.04],  # below the legend, room for words
                "tickvals": [0, 0.5, 1],
            },
        )  # fmt: skip
        figure = {"data": traces, "layout": layout}
        return curves.with_legend(figure) if self.keyed else figure

    def areas(self, now: int) -> Figure:
        """Draw a square: its width is divided by illness, its height by the results.

        Where the positive are looked at alone, they fill it.
        """
        step = self.steps[now]
        p, share = self.p, step.expected[:, 0] / step.expected.sum(axis=1)
        strip, whole = note(0, 0, " "), "all people"
        upright = {"title": {"text": "share of each group"}, "tickvals": [0, 0.5, 1]}
        if step.phase == "tested":
            strip = _strip(p, float(share[1]))
        if step.phase == "positive":
            p, share = step.posterior, np.ones(2)
            whole = "those who test positive"
            upright = {"title": {"text": "all are positive"}, "tickvals": []}
        traces = []
        for i, (left, right, kind, group) in enumerate(
            ((0.0, p, "ill", ILL), (p, 1.0, "healthy", HEALTHY))
        ):
            h = float(share[i])
            for low, high, result, fill in (
                (1 - h, 1.0, "positive", 0.75),
                (0.0, 1 - h, "not positive" if step.results else "not tested", 0.25),
            ):
                traces.append(
                    _area((left, low), (right, high), group, fill, f"{kind} and {result}")
                )
        layout = curves.panel_layout(
            xaxis={"title": {"text": f"share of {whole}", "standoff": 4}, "range": [-0.01, 1.01]},
            yaxis={**upright, "range": [-0.01, 1.01]},
            annotations=[*_columns(p), strip],
        )  # fmt: skip
        return {"data": traces, "layout": layout}

    def _known(self, step: BayesStep) -> float:
        """Return P(ill), with the newest result only after its step."""
        return step.prior if step.phase == "tested" else step.posterior

    def caption(self, now: int) -> str:
        """Write whom the step sorts; then the product or the rule with its numbers."""
        step = self.steps[now]
        (hit, _), (alarm, _) = step.counts.tolist()
        ill, healthy = step.counts.sum(axis=1).tolist()
        p, q = _with_rest(step.prior)
        s, f = map(number, step.rates.tolist())
        exact = step.expected.sum(axis=1)
        groups = (
            f"{_with_rest(self.p)[0]} · {PEOPLE:,} = {number(exact[0], 4)} are ill, "
            f"{_with_rest(self.p)[1]} · {PEOPLE:,} = {number(exact[1], 4)} are healthy."
        )
        if step.phase == "everyone":
            return f"{PEOPLE:,} people, and {ill} of them are ill. Who tests positive?\n{groups}"
        if step.phase == "ill":
            return f"{ill} people are ill and {healthy} are healthy.\n{groups}"
        if step.phase == "tested":
            return f"{self._tested(now)}\n{self._products(now)}"
        again = f" Here p = {p} is the answer to the test before." if step.results > 1 else ""
        return (
            f"{self._among_positive(step, hit, alarm)}\n"
            f"Without rounding to people, ill and positive divided by all positive: {p} · {s} / "
            f"({p} · {s} + {q} · {f}) = {percent(step.posterior)}.{again}"
        )

    def _among_positive(self, step: BayesStep, hit: int, alarm: int) -> str:
        """Write how many of those with positive results alone are ill."""
        times = _TIMES[step.results]
        if hit + alarm == 0:
            return f"Nobody tests positive{times}."
        exact = ""
        if _is_rounded(hit, hit + alarm, step.posterior):
            share = percent(step.posterior, 2)
            exact = f" (whole people are rounded; the exact share is {share})"
        if hit + alarm == 1:
            kind = "ill" if hit else "healthy"
            return f"The only person who tests positive{times} is {kind}{exact}."
        are = "is" if hit == 1 else "are"
        return f"{hit} of the {hit + alarm} people who test positive{times} {are} ill{exact}."

    def _tested(self, now: int) -> str:
        """Write how many test positive."""
        step = self.steps[now]
        hit, alarm = step.counts[:, 0].tolist()
        again = "" if step.results == 1 else " again"
        return f"{hit + alarm} people test positive{again}: {hit} ill and {alarm} healthy."

    def _products(self, now: int) -> str:
        """Write the average numbers of those who test positive."""
        before, after = self.steps[now - 1].expected, self.steps[now].expected
        taken = before.sum(axis=1) if self.steps[now].results == 1 else before[:, 0]
        each = [
            f"{number(rate)} · {number(group, 4)} = {number(positive, 4)} {kind}"
            for rate, group, positive, kind in zip(
                self.steps[now].rates, taken, after[:, 0], ("ill", "healthy"), strict=True
            )
        ]
        return f"On average {each[0]} and {each[1]} people test positive."

    def ask(self, now: int, rng: Generator) -> Question | None:
        """Ask for P(ill | positive), before the numbers of the next test are shown."""
        step, after = self.steps[now], self.steps[now + 1]
        if after.phase != "tested":
            return None
        s, f = after.rates.tolist()
        right = after.posterior
        tempting = (s, 1 - f, step.posterior, step.posterior * s, (1 + right) / 2)
        others = [Option(percent(each)) for each in tempting if abs(each - right) > _CLEAR]
        who = (
            "person who tests positive"
            if after.results == 1
            else "person who tests positive once more"
        )
        text = (
            f"{percent(step.posterior)} of these people are ill. The test is positive for "
            f"{percent(s)} of the ill and for {percent(f)} of the healthy. How probable is it that "
            f"a {who} is ill?"
        )
        reason = f"{self._tested(now + 1)} So {percent(right)} of them are ill, on average."
        return question(text, Option(percent(right)), others, reason)


def _share(both: int, positive: int, posterior: float) -> str:
    """Write a share of people in percent; where rounding to people changes it, the exact one."""
    exact = percent(posterior, 2)
    return f"{exact} on average" if _is_rounded(both, positive, posterior) else exact


def _is_rounded(both: int, positive: int, posterior: float) -> bool:
    """Return whether the share of whole people reads differently than the exact one."""
    return percent(both / positive, 2) != percent(posterior, 2)


def _with_rest(p: float) -> tuple[str, str]:
    """Write p and 1 − p with equally many decimals, so that both add up to 1 as printed."""
    least = max(min(p, 1 - p), 1e-12)
    decimals = 2 - int(np.floor(np.log10(least)))
    rounded = round(p, decimals)
    digits = (3, decimals) if p < 0.5 else (decimals, 3)
    return number(rounded, digits[0]), number(1 - rounded, digits[1])


def _strip(p: float, alarms: float) -> dict:
    """Name the strip of the healthy and positive.

    p : the share of the ill. alarms : the share of the healthy who test positive.
    """
    font = {"size": 15, "shadow": "auto"}
    thin = alarms < _THIN
    height = 1 - alarms - _THIN / 2 if thin else min(1 - alarms / 2, 0.93)
    text = "↑ healthy and positive" if thin else "healthy and positive"
    return note((1 + p) / 2, height, text) | {"font": font}


def _columns(p: float) -> list[dict]:
    """Name the two columns of the square; a narrow one beside it. p : the share of the ill."""
    font = {"size": 18, "weight": 700, "shadow": "auto"}
    ill, healthy = (p / 2, "ill", "center"), ((1 + p) / 2, "healthy", "center")
    if p <= _NARROW:
        ill = (p + 0.01, "← ill", "left")
    if 1 - p <= _NARROW:
        healthy = (p - 0.01, "healthy →" if p < 1 else " ", "right")
    return [
        note(x, 0.12, text, anchor=anchor) | {"font": font | {"color": PALETTE[group]}}
        for (x, text, anchor), group in ((ill, ILL), (healthy, HEALTHY))
    ]


def _area(
    low: tuple[float, float], high: tuple[float, float], group: int, fill: float, name: str
) -> dict:
    """Draw a filled rectangle between two corners."""
    (left, bottom), (right, top) = low, high
    corners = [[left, bottom], [right, bottom], [right, top], [left, top], [left, bottom]]
    r, g, b = rgb(PALETTE[group])
    return plane.line(
        np.array(corners), fill="toself", fillcolor=f"rgba({r}, {g}, {b}, {fill})",
        line={"width": 1, "color": PALETTE[group]}, name=name,
    )  # fmt: skip
