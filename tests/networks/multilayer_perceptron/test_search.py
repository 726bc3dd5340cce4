"""The pictures and captions of a search, recomputed from its points and its networks."""

import re
from typing import Any

import numpy as np
import pytest

from algorithms.networks.multilayer_perceptron.best_of_trials import best_of_trials
from algorithms.networks.multilayer_perceptron.settings_search import SearchStep, settings_search
from pages._shared.lab.catalogue import LABS
from tests.app.session import Session
from tests.core.figures import line, unpacked
from tests.core.samples import board_of, dataset, rng
from tests.core.told import numbers
from viz.core.scene import Plane, Run
from viz.networks.multilayer_perceptron.regions import winners
from viz.networks.multilayer_perceptron.settings_search import SettingsSearch

(LAB,) = (lab for lab in LABS if lab.name == "multilayer_perceptron")


def searched(
    name: str = "moons", *, plan: Any = "grid", newest: bool = True, per_axis: int = 4
) -> tuple[SettingsSearch, list[SearchStep], Plane, np.ndarray]:
    """Return a search as it is shown, its steps, the board and the part of every point."""
    data = board_of(dataset(name, 120, noise=0.3))
    part = rng(8).integers(3, size=120)
    X, y, given = data.X, data.labels, part < 2
    how: dict[str, Any] = {"plan": plan, "per_axis": per_axis, "epochs": 20, "rng": rng(2)}
    steps = list(settings_search(X[given], y[given], held_out=part[given] == 1, **how))
    best = best_of_trials(steps, X[~given], y[~given])
    return SettingsSearch(Run("", steps), data, part, plan, best, newest), steps, data, part


def wrong_of(step: SearchStep, m: int, data: Plane, chosen: np.ndarray) -> int:
    """Count the chosen points that the network of a trial gets wrong."""
    predicted = step.networks[m].predict(step.features(data.X[chosen]))
    return int(np.count_nonzero(predicted != data.labels[chosen]))


@pytest.mark.parametrize("newest", [True, False])
def test_the_picture_is_of_the_newest_network_or_of_the_best(newest: bool) -> None:
    show, steps, data, part = searched("blobs", newest=newest)
    for now in (0, 7, 15):
        m = now if newest else steps[now].best
        network = steps[now].networks[m]
        classes, _ = winners(data, show.features, network)
        np.testing.assert_array_equal(show.found(now).classes, classes)
        points = show.picture(now)["points"]
        wrong = network.predict(show.features(data.X)) != data.labels
        np.testing.assert_array_equal(unpacked(points["wrong"]), wrong)
        np.testing.assert_array_equal(unpacked(points["held"]), part > 0)
        small = unpacked(points["size"]) < 32
        np.testing.assert_array_equal(small, part == 2)


@pytest.mark.parametrize("plan", ["grid", "random"])
def test_the_map_has_every_trial_where_its_settings_are(plan: str) -> None:
    show, steps, *_ = searched(plan=plan)
    for now in (0, 5, 15):
        figure = show.errors(now)
        _, counts, best, newest = figure["data"]
        step = steps[now]
        assert unpacked(figure["told"]["values"]).tolist() == step.wrong.tolist()
        x, y = (figure["layout"][f"{axis}axis"] for axis in "xy")
        for mark, m in ((best, step.best), (newest, now)):
            for at, axis, value in ((mark["x"], x, step.rates[m]), (mark["y"], y, step.units[m])):
                read = np.log([float(text) for text in axis["ticktext"]])
                there = np.exp(np.interp(at[0], axis["tickvals"], read))
                if read.min() <= np.log(value) <= read.max():  # ticks have two digits
                    assert there == pytest.approx(value, rel=0.03)
        shown = [text for text in counts["text"] if text]
        assert len(shown) == now + 1 if plan == "grid" else 1 <= len(shown) <= now + 1
        assert counts["text"][now] == str(step.wrong[now])


def test_the_errors_by_setting_are_of_the_trials_so_far() -> None:
    show, steps, *_ = searched(plan="random")
    draw = show.by_setting()
    for now in (0, 9, 15):
        left, ring, right, _ = draw(now)["data"]
        for trace, settings in ((left, steps[-1].rates), (right, steps[-1].units)):
            path = line(trace)
            there = np.isfinite(path[:, 1])
            np.testing.assert_allclose(path[:, 0], settings, rtol=1e-5)
            assert there.sum() == now + 1 and there[: now + 1].all()
            error = steps[now].wrong / steps[now].judges
            np.testing.assert_allclose(path[there, 1], error, rtol=1e-6)
        assert ring["x"] == [steps[now].rates[now]]


def test_the_rings_are_what_the_choice_gets_wrong() -> None:
    show, steps, data, part = searched(plan="random")
    draw, test, judge = show.best_of_m(), part == 2, part == 1
    for now in (0, 4, 15):
        *curves, by_judges, by_test = draw(now)["data"]
        m = steps[now].best
        assert by_judges["x"] == by_test["x"] == [now + 1]
        assert by_judges["y"] == [wrong_of(steps[now], m, data, judge) / judge.sum()]
        assert by_test["y"] == [wrong_of(steps[now], m, data, test) / test.sum()]
    validation, tested = (line(curve)[:, 1] for curve in curves)
    assert validation[0] == pytest.approx(steps[-1].wrong.mean() / judge.sum(), rel=1e-5)
    every = [wrong_of(steps[-1], m, data, test) for m in range(16)]
    assert tested[0] == pytest.approx(np.mean(every) / test.sum(), rel=1e-5)
    assert validation[-1] == pytest.approx(steps[-1].error, abs=1e-5)


@pytest.mark.parametrize("plan", ["grid", "random"])
def test_the_caption_has_true_numbers(plan: str) -> None:
    show, steps, data, part = searched(plan=plan)
    for now, step in enumerate(steps):
        plain, rule = show.caption(now).split("\n")
        m, wrong, judges = step.best, int(step.wrong[now]), step.judges
        found = numbers(plain)
        assert found[0] == now + 1
        assert found[1] == pytest.approx(step.rates[now], rel=5e-3)
        assert found[2:5] == [step.units[now], wrong, judges]
        assert ("fewest so far." in plain) == (step.event is not None)
        assert step.event or found[5] == step.wrong.min()
        choice = numbers(rule)
        assert choice[0] == m + 1 and choice[2:5] == [step.units[m], step.wrong[m], judges]
        assert choice[5] == pytest.approx(step.error, rel=5e-3, abs=1e-9)
        counts = [len(set(each.tolist())) for each in (step.rates, step.units)]
        assert choice[6:] == counts
        T = numbers(show.answer(now))
        assert T[:3] == [m + 1, wrong_of(step, m, data, part == 2), (part == 2).sum()]
        assert T[3] == pytest.approx(T[1] / T[2], rel=5e-3)
    assert len(set(steps[-1].rates)) == (4 if plan == "grid" else 16)


@pytest.mark.parametrize("trials", ["9", "49"])
def test_the_page_tries_the_trials_that_are_asked_for(session: Session, trials: str) -> None:
    session.open(LAB, view="search", trials=trials, trial_epochs="10")
    assert session.run_shown is not None
    assert len(session.run_shown.steps) == int(trials)
    session.check_shown()


def test_more_judges_judge_the_same_networks(session: Session) -> None:
    runs = []
    for share in ("10", "40"):
        session.open(LAB, view="search", validation=share, trials="9")
        assert session.run_shown is not None
        runs.append(session.run_shown.steps[-1])
        assert re.search(r"\d+ points to learn from", session.scene_shown.note)  # type: ignore
    few, many = runs
    assert few.judges < many.judges
    for one, other in zip(few.networks, many.networks, strict=True):
        np.testing.assert_array_equal(one.weights[0], other.weights[0])


def test_without_validation_points_the_page_says_so(session: Session) -> None:
    session.open(LAB, view="search", n="2")
    assert "both parts need one" in session.stage["error"]
