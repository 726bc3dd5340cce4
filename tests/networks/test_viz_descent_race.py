import numpy as np
import pytest

from algorithms.networks.descent_race import descent_race
from algorithms.networks.surfaces import NAMES, Surface
from algorithms.regression.least_squares.optimizers import RULES
from tests.core.figures import unpacked
from viz.core.words import number
from viz.networks import descent_race as draw
from viz.networks import descent_race_words as words

KINDS = [RULES[name](0.05) for name in RULES]


def race(name: str = "bowl", most: int = 60) -> draw.Race:
    surface = Surface(name, 20.0)
    start = np.array([-1.5, 1.2])
    steps = list(descent_race(surface, start, KINDS, max_iter=most))
    return draw.Race(surface, KINDS, steps)


@pytest.mark.parametrize("name", NAMES)
def test_the_ways_go_from_the_start_to_where_the_rules_are(name: str) -> None:
    shown = race(name)
    for now in (0, 1, 37, 60):
        traces = draw.picture(shown, now)["data"]
        ways, balls = traces[-10:-5], traces[-5:]
        for r in range(5):
            x, y = unpacked(ways[r]["x"]), unpacked(ways[r]["y"])
            assert (x[0], y[0]) == pytest.approx((-1.5, 1.2))
            assert (x[-1], y[-1]) == pytest.approx(tuple(shown.steps[now].places[r]))
            ball = (unpacked(balls[r]["x"])[0], unpacked(balls[r]["y"])[0])
            assert ball == pytest.approx(tuple(shown.steps[now].places[r]))
    looks = {(b["marker"]["symbol"], b["marker"]["color"]) for b in balls}
    assert len(looks) == 5


def test_curves_hold_the_heights_and_the_lengths() -> None:
    shown = race()
    high, long = draw.heights(shown, 7), draw.lengths(shown, 7)
    for r in range(5):
        np.testing.assert_allclose(
            unpacked(high["data"][r]["y"]), [s.heights[r] for s in shown.steps], rtol=1e-5
        )
        lengths = unpacked(long["data"][r]["y"])
        assert np.isnan(lengths[0])
        moved = [np.linalg.norm(s.changes[r]) for s in shown.steps[1:]]
        np.testing.assert_allclose(lengths[1:], moved, rtol=1e-5)
        assert high["data"][r]["name"] == KINDS[r].name
        assert unpacked(high["data"][5 + r]["y"])[0] == pytest.approx(shown.steps[7].heights[r])


def test_a_long_race_is_drawn_with_few_places() -> None:
    shown = race("Rosenbrock", 1000)
    assert all(len(unpacked(t["x"])) <= 300 for t in draw.heights(shown, 3)["data"])
    assert len(unpacked(draw.picture(shown, 1000)["data"][3]["x"])) <= 150


@pytest.mark.parametrize("name", NAMES)
def test_the_caption_names_the_lowest_and_all_heights(name: str) -> None:
    shown = race(name)
    for now in (1, 5, 60):
        step = shown.steps[now]
        first, rule, all_heights = words.caption(shown, 1, now).split("\n")
        lowest = KINDS[int(step.heights.argmin())].name
        assert lowest.lower() in first.lower() and number(step.heights.min(), 4) in first
        assert rule.startswith("momentum: ")
        for kind, height, gone in zip(KINDS, step.heights, step.left, strict=True):
            assert f"{kind.name} {'gone' if gone else number(height)}" in all_heights


def test_the_rule_in_the_caption_has_the_numbers_of_the_update() -> None:
    shown = race()
    before, step = shown.steps[2], shown.steps[3]
    rule = words.caption(shown, 0, 3).split("\n")[1]
    old, g = (", ".join(number(v, 4) for v in part[0]) for part in (before.places, step.gradients))
    assert f"({old}) − 0.05 · ({g})" in rule


def test_who_has_left_is_not_given_numbers() -> None:
    surface = Surface("bowl", 100.0)
    steps = list(descent_race(surface, np.array([-1.5, 1.2]), KINDS, max_iter=40))
    shown = draw.Race(surface, KINDS, steps)
    assert steps[-1].left[0]
    assert "is not followed any more" in words.caption(shown, 0, 40).split("\n")[1]


def test_the_note_gives_the_bounds_where_there_are_any() -> None:
    assert "η < 2/κ = 0.1" in words.note(race()) and "= 0.19;" in words.note(race())
    assert "2/κ" not in words.note(race("saddle"))
