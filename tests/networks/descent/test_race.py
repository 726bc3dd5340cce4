import re

import numpy as np
import pytest

from algorithms.core.optimizers import RULES
from algorithms.networks.descent.descent_race import descent_race
from algorithms.networks.descent.rate_sweep import rate_sweep
from algorithms.networks.descent.surfaces import NAMES, Surface
from tests.core.figures import unpacked
from tests.core.told import numbers
from viz.core.scene import Run
from viz.core.words import enclosed, number, rounded
from viz.networks.descent.descent_race import Race

KINDS = [RULES[name](0.05) for name in RULES]
RATES = [0.01, 0.05, 0.2, 1.0]


def race(name: str = "bowl", most: int = 60, kappa: float = 20.0, told: int = 1) -> Race:
    surface, start = Surface(name, kappa), np.array([-1.5, 1.2])
    steps = list(descent_race(surface, start, KINDS, max_iter=most))
    sweep = rate_sweep(surface, start, KINDS, RATES, max_iter=most)
    return Race(Run("", steps), surface, KINDS, sweep, told)


@pytest.mark.parametrize("name", NAMES)
def test_the_ways_go_from_the_start_to_where_the_rules_are(name: str) -> None:
    shown = race(name)
    for now in (0, 1, 37, 60):
        traces = shown.picture(now)["data"]
        ways, ends, balls = traces[-18:-13], traces[-13:-8], traces[-8:-3]
        assert traces[-3]["name"] == "minimum"  # on top of all
        assert ways[-1]["name"] == KINDS[shown.told].name  # on top of the others
        for way, end, ball in zip(ways, ends, balls, strict=True):
            (r,) = (r for r, rule in enumerate(KINDS) if way["name"] == rule.name)
            assert ball["name"] == KINDS[r].name
            x, y = unpacked(way["x"]), unpacked(way["y"])
            assert (x[0], y[0]) == pytest.approx((-1.5, 1.2))
            assert (x[-1], y[-1]) == pytest.approx(tuple(shown.steps[now].places[r]))
            late = ~np.isnan(unpacked(end["x"]))
            assert late[-1] and late.argmax() == max(0, now - 7)
            np.testing.assert_allclose(unpacked(end["y"])[late], y[late], atol=1e-5)
            place = (unpacked(ball["x"])[0], unpacked(ball["y"])[0])
            left = shown.steps[now].left[r]
            seen = (np.nan, np.nan) if left else tuple(shown.steps[now].places[r])
            assert place == pytest.approx(seen, nan_ok=True)
    looks = {(b["marker"]["symbol"], b["marker"].get("color")) for b in balls}
    assert len(looks) == 5
    assert len({way["line"].get("color") for way in ways}) == 5


def test_the_curves_hold_the_heights() -> None:
    shown = race()
    high = shown.views()[1].draw(7)
    for r in range(5):
        np.testing.assert_allclose(
            unpacked(high["data"][r]["y"]),
            [max(s.heights[r], 1e-6) for s in shown.steps],
            rtol=1e-5,
        )
        assert high["data"][r]["name"] == KINDS[r].name
        assert unpacked(high["data"][5 + r]["y"])[0] == pytest.approx(shown.steps[7].heights[r])


@pytest.mark.parametrize("name", NAMES)
def test_the_minimum_of_the_lowest_rule_is_enlarged(name: str) -> None:
    shown = race(name)
    end = shown.steps[-1]
    place = end.places[int(end.heights.argmin())]
    nearest = min(shown.surface.minima, key=lambda minimum: np.linalg.norm(minimum - place))
    left, right, bottom, top = shown.lens
    assert ((left + right) / 2, (bottom + top) / 2) == pytest.approx(tuple(nearest))


def test_a_long_race_is_drawn_with_few_places() -> None:
    shown = race("Rosenbrock", 1000)
    assert all(len(unpacked(t["x"])) <= 300 for t in shown.views()[1].draw(3)["data"][:5])
    assert len(unpacked(shown.picture(1000)["data"][4]["x"])) <= 150


@pytest.mark.parametrize("name", NAMES)
def test_the_caption_names_the_lowest_and_all_heights(name: str) -> None:
    shown = race(name)
    for now in (1, 5, 59, 60):
        step = shown.steps[now]
        first, rule, all_heights = shown.caption(now).split("\n")
        lowest = KINDS[int(step.heights.argmin())].name
        at_bottom = step.heights < shown.surface.lowest + 1e-6
        assert lowest.lower() in first.lower()
        above = step.heights - shown.surface.lowest
        told = "at the bottom" if at_bottom.any() else rounded(above.min())
        assert told in first
        assert rule.startswith("momentum: ")
        for r, kind in enumerate(KINDS):
            height = "at the bottom" if at_bottom[r] else number(above[r])
            if now < 60:
                assert f"{kind.name} {'gone' if step.left[r] else height}" in all_heights
            else:  # the steps at the best rates follow, and the heights are in their view
                assert all_heights == f"{len(RATES)} rates were tried."
                y = unpacked(shown.views()[1].draw(now)["data"][r]["y"])[-1]
                assert np.isnan(y) if step.left[r] else y == pytest.approx(max(above[r], 1e-6))


def test_the_rule_in_the_caption_has_the_numbers_of_the_update() -> None:
    shown = race(told=0)
    step = shown.steps[3]
    rule = shown.caption(3).split("\n")[1]
    axis = int(np.abs(step.changes[0]).argmax())
    g, move = step.gradients[0, axis], step.changes[0, axis]
    assert f"in {'xy'[axis]}, " in rule
    assert f"−0.05 · {enclosed(g, 4)} = {number(move)}." in rule


@pytest.mark.parametrize("told", range(5))
def test_the_move_in_the_caption_comes_out_as_written(told: int) -> None:
    shown = race(told=told)
    for now in range(1, 61):
        rule = shown.caption(now).split("\n")[1]
        *parts, moved = numbers(rule.split(": ")[-1])
        match told:
            case 0:
                result, size = parts[0] * parts[1], 0.0
            case 1:
                last, slope = parts[0] * parts[1], parts[2] * parts[3]
                result, size = last - slope, abs(last) + abs(slope)
            case _:
                result, size = parts[0] * parts[1] / parts[2], 0.0
        assert moved == pytest.approx(result, rel=6e-3, abs=1e-3 * size)


def test_the_caption_counts_how_often_the_valley_is_crossed() -> None:
    shown = race()
    assert "has not yet crossed the valley floor." in shown.caption(1)
    side = np.sign([step.places[1, 1] for step in shown.steps])
    for now in (5, 60):
        crossed = int((side[:now] != side[1 : now + 1]).sum())
        assert f"Momentum has crossed the valley floor {crossed} times." in shown.caption(now)
    (news,) = (i for i, s in enumerate(shown.steps) if "momentum near" in (s.event or ""))
    said = shown.caption(news).split("\n")[0]
    assert re.search(r"Momentum has crossed the valley floor \d+ times and is near a min", said)
    assert said.count("Momentum") == 1
    assert "valley" not in race(kappa=1.0).caption(5) + race("saddle").caption(5)


def test_a_rule_that_has_left_is_not_given_numbers() -> None:
    shown = race(most=40, kappa=100.0, told=0)
    assert shown.steps[-1].left[0]
    rule = shown.caption(40).split("\n")[1]
    assert rule.startswith("gradient: ") and not any(letter.isdigit() for letter in rule)


def test_a_rule_that_has_left_is_out_of_the_picture_and_of_the_race() -> None:
    shown = race(most=40, kappa=100.0, told=0)
    gone = shown.steps[-1].left
    assert gone.any() and not gone.all()
    *_, words = shown.picture(40)["data"]
    first = shown.caption(40).split("\n")[0]
    for kind, left in zip(KINDS, gone, strict=True):
        assert (kind.name in words["text"][0]) == left
        assert (kind.name.lower() in first.split(".")[0].lower()) == left
    balls = shown.picture(40)["data"][-8:-3]
    assert {ball["name"] for ball in balls if np.isnan(unpacked(ball["x"])[0])} == {
        kind.name for kind, left in zip(KINDS, gone, strict=True) if left
    }
    assert shown.picture(0)["data"][-1]["text"] == [" "]
    *curves, names = shown.views()[1].draw(40)["data"]
    for r, name in enumerate(names["text"]):
        assert re.sub("<[^>]+>", "", name).strip() == KINDS[r].name + " (out)" * bool(gone[r])
        assert np.isnan(unpacked(curves[r]["y"])[-1]) == gone[r]
    early = next(now for now, step in enumerate(shown.steps) if step.left.any()) - 1
    assert not any("(out)" in name for name in shown.views()[1].draw(early)["data"][-1]["text"])


def test_the_start_gives_the_bounds_where_there_are_any() -> None:
    assert "η < 2/κ = 0.1" in race().caption(0) and "= 0.19." in race().caption(0)
    assert "2/κ" not in race("saddle").caption(0)


def test_the_panel_of_rates_has_the_steps_needed_and_a_ball_at_the_rate_of_the_run() -> None:
    shown = race()
    figure = shown.views()[3].draw(0)
    lines, balls = figure["data"][:5], figure["data"][5:]
    for r, (curve, ball) in enumerate(zip(lines, balls, strict=True)):
        np.testing.assert_allclose(unpacked(curve["x"]), RATES)
        np.testing.assert_allclose(unpacked(curve["y"]), shown.sweep.needed[r])
        assert ball["x"] == [0.05]
        steps, never = float(shown.sweep.needed[r, 1]), figure["layout"]["yaxis"]["tickvals"][-1]
        assert ball["y"] == [steps if np.isfinite(steps) else never]
    assert figure["layout"]["yaxis"]["ticktext"][-1] == "never"
    best = shown.answer(60)
    assert not any(shown.answer(now) for now in range(60))
    for r, kind in enumerate(KINDS):
        needed = shown.sweep.needed[r, shown.sweep.best(r)]
        assert (f"{kind.name} {needed:.0f} (" in best) == bool(np.isfinite(needed))
    assert best.startswith("Steps until near a minimum at the best: ")
    assert "from 0.01 to 1." in shown.note
    assert best.count("η = ") == 1
    never = [kind.name for kind, steps in zip(KINDS, shown.sweep.needed, strict=True)
             if np.isnan(steps).all()]  # fmt: skip
    assert ("; with none of them " in best) == bool(never)
    for name in never:
        assert name in best.partition("; ")[2]
