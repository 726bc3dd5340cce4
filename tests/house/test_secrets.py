"""Nothing gives an answer away: no curve, text or caption of an experiment or of a question."""

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any

import numpy as np

from pages._shared.lab.catalogue import LabFile
from tests.app.session import Session
from tests.core.figures import unpacked
from tests.house.every_lab import EVERY_LAB
from tests.house.test_views import Seen, modes, seen
from viz.core.curves import DOT
from viz.core.question import Question
from viz.core.scene import ANSWER, Figure, Scene, View
from viz.core.theme import NOW

__all__ = ["seen"]

MEASURED = re.compile(r"−?\d+\.\d+")  # counts of points and settings have no decimals
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DIGITS = 3
# Numbers of an answer that may be seen before the first step: where the run begins, what a bound
# promises, or what the experiment asks to read there.
SEEN_FIRST = {
    ("decision_tree", "Play tennis?"): {"0.247", "0.152"},
    ("decision_tree", "A dear answer"): {"0.247", "0.152"},
    ("perceptron", "Every mistake is one vector"): {"1.73"},
    ("linear_regression", "Outliers"): {"0.576"},
    ("densities", "A vote for oneself"): {"0.0316", "−0.104"},
    ("densities", "Where bins begin"): {"0.0711"},
    ("pca", "Denoising"): {"8.73"},
    ("svm", "A plane for rings"): {"1.29"},
    ("k_medoids", "Chosen by a few"): {"1.15"},
    ("spectral_clustering", "Where to cut?"): {"0.000715"},
    ("linear_regression", "One far point"): {"32.6"},
    ("linear_regression", "Too small, too large"): {"0.315"},
    ("bias_variance", "Nearest neighbours"): {"0.296"},
    ("version_space", "Whatever the distribution"): {"87.6"},
    ("network_regression", "Corners"): {"1.38"},  # the picked x, by chance
}
# The first number of these answers is that of the last step by chance.
END_BY_CHANCE = {
    ("logistic_regression", "A curve from a line"),
    ("markov_random_field", "A quarter and a half"),
    ("hierarchical_clustering", "A chain of noise"),
    ("estimating", "Small steps, large steps"),
    ("dbscan", "Who comes first"),  # of the 200 points, each of which has a visit
}
# Without a linked view until the answer is open.
ALONE = {("k_medoids", "Chosen by a few")}  # the first value of its curve is the answer


@EVERY_LAB
def test_the_player_hides_the_number_of_steps_where_it_is_the_answer(lab: LabFile) -> None:
    for experiment in lab.experiments:
        session = Session().open(lab, **experiment.link)
        lesson, opening = session.stage["lesson"], session.opening
        if lesson["question"] == experiment.question:  # the first with these parameters
            assert lesson["hides_end"] == experiment.hides_end
        steps = opening["total"] - 1
        end = str(opening["numbers"][-1] if "numbers" in opening else opening["first"] + steps)
        known = " ".join([experiment.question, *experiment.link.values()])
        sentence, *_ = re.split(r"[.:] ", experiment.answer.replace(",", ""))
        told = NUMBER.findall(sentence)[:1] == [end] and end not in NUMBER.findall(known)
        if (lab.name, experiment.title) not in END_BY_CHANCE:
            assert experiment.hides_end or not told, experiment.title


@EVERY_LAB
def test_no_text_tells_what_an_experiment_measures(lab: LabFile, seen: Seen) -> None:
    for experiment in lab.experiments:
        session = Session().open(lab, **experiment.link)
        if session.stage["error"] or len(seen.run.steps) < 3:
            continue
        known = " ".join([experiment.title, experiment.question, experiment.todo])
        answer = measured(experiment.answer) - measured(known) - set(experiment.link.values())
        told = measured(" ".join([seen.scene.note, *before_the_answer(seen.scene, 0)]), digits=1)
        found = {number for number in answer if any(rounded(each, number) for each in told)}
        first = SEEN_FIRST.get((lab.name, experiment.title), set())
        assert found == first, experiment.title


@EVERY_LAB
def test_nothing_shows_the_option_that_is_right(lab: LabFile, seen: Seen) -> None:
    for link in modes(lab):
        if Session().open(lab, **link).stage["error"]:
            continue
        last = len(seen.run.steps) - 1
        for now in sorted({0, 1, 2, last // 3, last // 2, last - 1} & set(range(last))):
            if asked := seen.scene.ask(now):
                for text in before_the_answer(seen.scene, now, question=True):
                    assert not gives_away(text, asked), f"{link}, step {now}: {text}"


def gives_away(text: str, asked: Question) -> bool:
    """Return whether a text has the right option and no other, where this is not by chance.

    By chance it has a name that is on the picture anyway; not a number, nor what comes next.
    """
    options = [option.text for option in asked.options]
    right = options.pop(asked.right)
    if not re.search(r"\d[.\d]", right):
        text = " ".join(re.findall(r"Next: [^.]*\.", text))
    return len(right) > 1 and right in text and not any(option in text for option in options)


def before_the_answer(scene: Scene, now: int, *, question: bool = False) -> Iterator[str]:
    """Yield the texts at a step while an answer is awaited: the caption, and those of the views.

    question : of Predict; otherwise that of a situation.
    """
    yield scene.caption(now)
    for view in scene.views:
        shown = {False, *(() if question else ("at the start", "to a question"))}
        if view.ahead in shown or (view.ahead == "at the start" and now > 0):
            yield view.title
            yield from texts(view.draw(now))


def texts(figure: Figure) -> Iterator[str]:
    """Yield what is written on a figure; a diagram parks what is still to come below its axis."""
    layout = figure["layout"]
    for trace in figure["data"]:
        if trace.get("meta") != ANSWER and isinstance(trace.get("text"), list):
            ends = layout.get("yaxis", {}).get("range") or [None, None]
            if trace["type"] != "scatter" or None in ends:
                yield from map(str, trace["text"])
                continue
            for text, height in zip(trace["text"], unpacked(trace["y"]), strict=False):
                if min(ends) <= height <= max(ends):
                    yield str(text)
    yield from _titles(layout)


def _titles(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from [part["text"]] if isinstance(part.get("text"), str) else []
        part = list(part.values())
    for each in part if isinstance(part, list) else []:
        yield from _titles(each)


def measured(text: str, digits: int = DIGITS) -> set[str]:
    """Return the numbers with decimals that have enough digits to be told apart."""
    found = MEASURED.findall(text)
    return {each for each in found if len(each.lstrip("−0.").replace(".", "")) >= digits}


def rounded(number: str, to: str) -> bool:
    """Return whether a number is another one with the same or further decimals."""
    exact, short = (Decimal(each.replace("−", "-")) for each in (number, to))
    places = Decimal(1).scaleb(int(short.as_tuple().exponent))
    return len(number) >= len(to) and exact.quantize(places, ROUND_HALF_EVEN) == short


@EVERY_LAB
def test_no_curve_over_the_steps_runs_ahead_in_an_experiment(lab: LabFile, seen: Seen) -> None:
    for experiment in lab.experiments:
        session = Session().open(lab, **experiment.link)
        if session.stage["error"]:
            continue
        steps = sorted({0, (last := len(seen.run.steps) - 1) // 3, last // 2, last})
        for view in seen.scene.views:
            told = f"{experiment.title}: {view.title}"
            if view.ahead == "by step":
                check_numbers(view, seen.scene, steps, told)
            elif not view.ahead:
                assert not goes_on(view, seen.scene, steps), told


@EVERY_LAB
def test_a_situation_opens_with_a_linked_view(lab: LabFile, seen: Seen) -> None:
    for experiment in lab.experiments:
        Session().open(lab, **experiment.link)
        linked = seen.scene.views[1:]
        hidden = linked and len(seen.run.steps) > 1 and all(view.ahead is True for view in linked)
        assert bool(hidden) == ((lab.name, experiment.title) in ALONE), experiment.title


def check_numbers(view: View, scene: Scene, steps: list[int], told: str) -> None:
    """Check that what marks the step is where the stage ends the curves."""
    for now in steps:
        figure = view.draw(now)
        places = [x for x, _ in marks_of_step(figure)] or [
            x[0]
            for trace in figure["data"]
            if trace.get("mode") != "text" and len(set(x := unpacked(trace["x"]).tolist())) == 1
        ]
        place = view.at[now] if view.at else now + scene.counts_from
        assert places and set(places) == {place}, f"{told}, step {now}"


def goes_on(view: View, scene: Scene, steps: list[int]) -> bool:
    """Return whether marks go, with the steps, along a curve that is whole from the first on."""
    ways = zip(*(marks_of_step(view.draw(now)) for now in steps), strict=False)
    numbers = [now + scene.counts_from for now in steps]
    whole = [places(trace) for trace in view.draw(0)["data"] if len(trace.get("x", ())) > 1]
    return len(steps) > 1 and any(
        [x for x, _ in way] == numbers and all(on(place, curve) for place in way)
        for way in ways
        for curve in whole
    )


def places(trace: dict) -> np.ndarray:
    """Return the places of a trace whose axes have numbers; none of others."""
    x, y = (unpacked(trace[axis]) for axis in "xy")
    numbers = x.dtype.kind in "iuf" and y.dtype.kind in "iuf"
    return np.column_stack([x, y]) if numbers else np.empty((0, 2))


def on(place: tuple[float, float], curve: np.ndarray) -> bool:
    return bool(np.isclose(curve, place).all(axis=1).any())


def marks_of_step(figure: Figure) -> Iterator[tuple]:
    """Yield the places of the dots, or rings, at the shown step."""
    for trace in figure["data"]:
        marker = trace.get("marker", {})
        shown = marker.get("symbol") == 100 or marker == DOT
        # in ink, or as all of the step
        if shown and marker.get("color", NOW) == NOW and len(trace["x"]) == 1:
            yield trace["x"][0], trace["y"][0]
