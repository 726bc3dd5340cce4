"""Repeated splits: the counts, the pictures and the words."""

import re
from base64 import b64decode
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from algorithms.classification.classifiers import CLASSIFIERS, all_tuned
from algorithms.classification.repeated_splits import RepeatedSplitsStep, repeated_splits
from algorithms.data.presets import DATASETS
from tests.core.figures import answer, drawn, line, places, read_png, unpacked
from tests.core.samples import labelled
from tests.house.check_steps import AsInTheApp, check_model, check_steps
from tests.house.checked import Checked
from viz.classification import repeated_splits as draw
from viz.core import plane
from viz.core.scene import Plane, Run, Scene
from viz.core.words import listed

FEW = tuple(c for c in CLASSIFIERS if c.name in ("Nearest mean", "LDA", "k-NN", "1-NN"))


preset = partial(labelled, n=120, noise=0.4)


def fitted(X: np.ndarray, y: np.ndarray, **how) -> list[RepeatedSplitsStep]:
    how = {"classifiers": FEW, "rng": np.random.default_rng(1)} | how
    with AsInTheApp():
        return check_steps(repeated_splits(X, y, **how))


def shown(X: np.ndarray, y: np.ndarray, name: str = "1-NN", **how) -> tuple[list, Plane, Scene]:
    steps = fitted(X, y, **how)
    data = Plane(X, y, tuple("abcdefgh"), ("x", "y"), plane.bounds(X))
    lines = draw.find_borders(steps, name, data.bounds)
    return steps, data, draw.RepeatedSplits(Run("", steps), data, name, lines, 3).scene()


RECOMPUTED = Checked(
    "wall",
    "Means, spreads and standard errors, recomputed from the predictions of every split",
    9,
    "splits",
    within=1e-12,
)


def test_means_spreads_and_differences_are_those_of_the_splits() -> None:
    X, y = preset("moons")
    steps = fitted(X, y, n_splits=RECOMPUTED.cases)
    near = {"rtol": 0, "atol": RECOMPUTED.within}
    errors, ratios = [], []
    for b, step in enumerate(steps, start=1):
        out = step.held_out
        errors.append([np.mean(m.predict(X[out]) != y[out]) for m in step.models])
        ratios.append(out.sum() / (~out).sum())
        np.testing.assert_allclose(step.errors, errors[-1])
        np.testing.assert_array_equal(step.used, ~out)
        assert step.splits == b
        table = np.array(errors)
        np.testing.assert_allclose(step.mean, table.mean(axis=0), **near)
        assert step.best == table.mean(axis=0).argmin()
        differences = table - table[:, [step.best]]
        np.testing.assert_allclose(step.behind, differences.mean(axis=0), atol=1e-12)
        if b > 1:
            np.testing.assert_allclose(step.spread, table.std(axis=0, ddof=1), **near)
            expected = np.sqrt(1 / b + np.mean(ratios)) * differences.std(axis=0, ddof=1)
            np.testing.assert_allclose(step.standard_error, expected, **near)
        np.testing.assert_array_equal(step.within_noise, step.behind <= 2 * step.standard_error)
        assert step.within_noise[step.best]
        check_model(step, X)
    assert not steps[0].spread.any() and not steps[0].standard_error.any()
    assert len({step.held_out.tobytes() for step in steps}) == 9
    assert steps[-1].event == "all splits drawn"


def test_a_split_is_fitted_as_scikit_learn_does() -> None:
    X, y = preset("blobs", noise=0.9)
    for step in fitted(X, y, n_splits=3):
        lda = LinearDiscriminantAnalysis().fit(X[step.used], y[step.used])
        np.testing.assert_array_equal(step.models[1].predict(X), lda.predict(X))


def test_the_order_is_that_of_the_events() -> None:
    steps = fitted(*preset("moons", noise=0.3), n_splits=20, classifiers=CLASSIFIERS)
    for before, after in pairwise(steps[:-1]):
        changed = before.best != after.best
        assert after.event == ("another classifier is best" if changed else None)


def test_a_winner_promises_too_little() -> None:
    """What a half of the held-out points picked is worse on points that picked nothing."""
    halves, fresh = [], []
    make = DATASETS["moons"].make
    for seed in range(6):
        X, y = preset("moons", n=200, noise=0.3, sample=seed)
        new = make(2000, noise=0.3, rng=np.random.default_rng(1000 + seed))
        last = fitted(X, y, n_splits=10, classifiers=CLASSIFIERS)[-1]
        halves.append(last.kept - last.promised)
        picked = last.models[last.errors.argmin()]
        fresh.append(np.mean(picked.predict(new.X) != new.labels) - last.errors.min())
    assert np.mean(halves) > 0.01
    assert min(halves) > 0
    assert np.mean(fresh) > 0


def test_what_is_promised_is_the_lowest_error_of_a_half() -> None:
    """With one classifier nobody is picked: both halves say the same on average."""
    X, y = preset("moons", n=200, noise=0.3)
    alone = fitted(X, y, n_splits=40, classifiers=FEW[:1])[-1]
    assert alone.kept == pytest.approx(alone.promised)
    several = fitted(X, y, n_splits=40, classifiers=(*FEW[:1], *FEW[:1], *FEW[:1]))[-1]
    assert several.kept == pytest.approx(several.promised), "alike: nothing can be gained by choice"


def test_the_standard_error_of_a_difference_is_not_too_small() -> None:
    """Over boards, the difference of two equally good classifiers differs from 0 as it says."""
    ratio = []
    for seed in range(40):
        X, y = preset("moons", n=100, noise=0.6, sample=seed)
        pair = all_tuned(15, 0.3)[12], all_tuned(13, 0.3)[12]
        step = fitted(X, y, n_splits=15, classifiers=pair)[-1]
        if step.standard_error.any():
            ratio.append(step.behind.max() / step.standard_error.max())
    assert np.mean(np.array(ratio) <= 2) > 0.9


def test_large_data_are_thinned_and_every_class_learned_from() -> None:
    X, y = preset("moons", n=900)
    y = y.copy()
    y[:3] = 5
    for step in fitted(X, y, n_splits=3, most=50):
        assert 50 <= step.used.sum() <= 53
        assert set(y[step.used]) == {0, 1, 5}
        assert not (step.used & step.held_out).any()
        assert 0.2 < step.held_out.mean() < 0.4
    data = Plane(X, y, tuple("abcdef"), ("x", "y"), plane.bounds(X))
    steps = fitted(X, y, n_splits=2)
    assert "uses 300 training points" in draw.note(steps, 0)
    assert "learns from" not in draw.note(fitted(*preset("moons")), 0)
    lines = draw.find_borders(steps, "LDA", data.bounds)
    assert draw.RepeatedSplits(Run("", steps), data, "LDA", lines, 0).picture(0)


@pytest.mark.parametrize("changes", [{"test_share": 0.0}, {"test_share": 1.0}, {"n_splits": 0}])
def test_bad_arguments_are_refused_at_the_call(changes: dict) -> None:
    X, y = preset("moons", n=20)
    with AsInTheApp(), pytest.raises(ValueError, match=next(iter(changes))):
        repeated_splits(X, y, rng=np.random.default_rng(0), **changes)


# What is shown


@pytest.mark.parametrize(
    ("name", "how", "crosses"),
    [("moons", {"n": 150}, False), ("circles", {"n": 120, "noise": 0.6}, True)],
)
def test_the_caption_recomputed(name: str, how: dict, crosses: bool) -> None:
    """crosses : at some split, a lag that is no chance is smaller than one that may be."""
    steps, _, scene = shown(*preset(name, **how), "1-NN", n_splits=8)
    told_apart = 0
    j = [c.name for c in FEW].index("1-NN")
    first = scene.caption(0).split("\n")
    assert first[0].startswith("Split 1 of 8: ")
    assert "One split has no spread" in first[1]
    for now in range(1, 8):
        step, lines = steps[now], scene.caption(now).split("\n")
        equal = [c.label for c, mean in zip(FEW, step.mean, strict=True) if mean == min(step.mean)]
        best, verb = listed(equal), "has" if len(equal) == 1 else "have"
        changed = step.event == "another classifier is best"
        before = f" (before: {FEW[steps[now - 1].best].label})" if changed else ""
        assert lines[0] == (
            f"Split {now + 1} of 8: {best} {verb} the lowest mean error so far, "
            f"{100 * min(step.mean):.3g} %{before}."
        )
        close = step.within_noise.sum() - 1
        lag, most = 100 * step.behind, 200 * step.standard_error
        larger = max((lag[i], i) for i in range(4) if lag[i] <= most[i])
        smaller = min(((lag[i], i) for i in range(4) if lag[i] > most[i]), default=larger)
        told = "The other 3 are behind by more than 2 standard errors."
        if close:
            told = (
                f"For {close} of the other 3 (●), the lag is at most 2 standard errors "
                "and could be chance."
            )
        if smaller < larger:
            told_apart += 1
            told = (
                f"For {close} of the other 3 (●), the lag could be chance: at most 2 of its own "
                "standard errors."
            )
            out, within = FEW[smaller[1]].label, FEW[larger[1]].label
            numbers = lines[1].removeprefix(f"{told} {out} (○) lags by ")
            assert f"; {within} (●) by " in numbers
            wanted = [smaller[0], most[smaller[1]], larger[0], most[larger[1]]]
            said = re.findall(r"([\d.]*\d)(?=, |;|\.$)", numbers)
            np.testing.assert_allclose([float(each) for each in said], wanted, rtol=0.01)
        elif j != step.best:
            behind, its_most = 100 * step.behind[j], 200 * step.standard_error[j]
            said = f"{behind:.3g} percentage points; 2 standard errors are {its_most:.3g}."
            assert lines[1].endswith(f"1-NN lags by {said}")
        assert lines[1].startswith(told)
        assert len(lines) == 3
        halves = [float(n) for n in re.findall(r"[\d.]+(?= %)", lines[-1])]
        np.testing.assert_allclose(halves, [100 * step.promised, 100 * step.kept], rtol=0.01)
        but = "but" if step.kept > step.promised else "and"
        assert f"% of that half wrong, {but} " in lines[-1]
        assert f": means over both halves and {now + 1} splits." in lines[-1]
        assert all(len(text) <= 170 for text in lines)
    assert bool(told_apart) == crosses


def test_the_figures_are_those_of_the_step() -> None:
    X, y = preset("moons", n=150)
    steps, _, scene = shown(X, y, "LDA", n_splits=6)
    for now in (0, 2, 5):
        step = steps[now]
        picture, errors, winner = drawn(scene, now)
        fill, *lines, signs = picture["data"]
        assert [trace.get("visible", True) for trace in lines] == [
            *(i < now for i in range(6)), True
        ]  # fmt: skip
        assert signs["name"] == "class of the region"
        file = b64decode(fill["source"].partition(",")[2])
        cells = read_png(file)[0] // plane.SHADES  # row 0 of the file is at the top
        across, up = np.meshgrid(np.arange(draw.CELLS), np.arange(draw.CELLS))
        middles = np.column_stack([
            fill["x0"] + across.ravel() * fill["dx"], fill["y0"] + up.ravel() * fill["dy"]
        ])  # fmt: skip
        same = cells.ravel() == step.models[1].predict(middles)
        assert same.mean() > 0.98
        np.testing.assert_allclose(places(picture), X)
        wrong = step.models[1].predict(X) != y
        np.testing.assert_array_equal(unpacked(picture["points"]["wrong"]) > 0, wrong)
        np.testing.assert_array_equal(unpacked(picture["points"]["held"]) > 0, step.held_out)
        border = line(lines[-1])
        scores = step.models[1].scores(border[np.isfinite(border).all(axis=1)])
        np.testing.assert_allclose(scores[:, 0], scores[:, 1], atol=0.05)
        mean = errors["data"][-1]
        np.testing.assert_allclose(unpacked(mean["x"]), 100 * step.mean, rtol=1e-5)
        np.testing.assert_allclose(unpacked(mean["error_x"]["array"]), 100 * step.spread, rtol=1e-5)
        assert (np.array(mean["marker"]["symbol"]) == 0).tolist() == step.within_noise.tolist()
        assert unpacked(errors["data"][0]["y"]).tolist() == [2, 2]  # the second of four
        promised, kept, *rings = winner["data"]
        np.testing.assert_allclose(
            unpacked(promised["y"]), [100 * s.promised for s in steps], rtol=1e-5
        )
        np.testing.assert_allclose(unpacked(kept["y"]), [100 * s.kept for s in steps], rtol=1e-5)
        assert [ring["x"] for ring in rings] == [[now + 1]] * 2


@pytest.mark.parametrize(("n", "splits"), [(200, 40), (1000, 20)])
def test_the_answer_to_a_move_is_small(n: int, splits: int) -> None:
    steps, _, scene = shown(*preset("moons", n=n, noise=0.6), "1-NN", n_splits=splits)
    assert len(answer(scene, steps)) < 150_000
