import numpy as np
import pytest

from algorithms.data.truths import TRUTHS
from algorithms.networks.universal_approximation.sigmoid_bumps import by_number, sigmoid_bumps
from algorithms.networks.universal_approximation.trained_sigmoids import trained_sigmoids
from tests.core.figures import unpacked
from viz.core.scene import Plane, Run
from viz.core.words import number
from viz.networks.universal_approximation.marks import NUMBERS
from viz.networks.universal_approximation.sigmoid_bumps import Bumps
from viz.networks.universal_approximation.trained_sigmoids import Trained

EMPTY = Plane(np.empty((0, 2)), np.empty(0, int), (), ("x", "y"), (-3.4, 3.4, -3.4, 3.4))
TRUTH = TRUTHS["sine"]


def bumps(count: int) -> Bumps:
    steps = list(sigmoid_bumps(TRUTH, bumps=count, steepness=4.0))
    return Bumps(Run("", steps), EMPTY, TRUTH, by_number(TRUTH, NUMBERS, 4.0), 1.0)


def trained() -> Trained:
    rng = np.random.default_rng(0)
    steps = list(trained_sigmoids(TRUTH, bumps=2, epochs=20, rng=rng))
    return Trained(Run("", steps), EMPTY, TRUTH, 1.0)


def path(trace: dict) -> np.ndarray:
    return np.stack([unpacked(trace["x"]), unpacked(trace["y"])], axis=1)


@pytest.mark.parametrize("now", [0, 1, 6])
def test_the_newest_bump_is_what_the_step_adds(now: int) -> None:
    show = bumps(6)
    steps = show.steps
    bump, others, missed, truth, _, network, read = show.picture(now)["data"]
    places = path(others)
    places = places[np.isfinite(places[:, 0])]
    assert (len(places) == 0) == (now < 2)
    for i, outline in enumerate(np.array_split(places, max(now - 1, 1)) if now > 1 else []):
        apart = steps[i + 1].predict(outline[:, :1]) - steps[i].predict(outline[:, :1])
        np.testing.assert_allclose(outline[:, 1], apart, atol=1e-5)
        np.testing.assert_allclose(outline[[0, -1], 1], 0, atol=2e-5)  # it ends on the axis
    x = path(network)[:, :1]
    np.testing.assert_allclose(path(network)[:, 1], steps[now].predict(x), atol=1e-5)
    np.testing.assert_allclose(path(truth)[:, 1], TRUTH(path(truth)[:, 0]), atol=1e-5)
    there, back = np.array_split(path(missed), 2)
    np.testing.assert_allclose(there[:, 1], steps[now].predict(there[:, :1]), atol=1e-5)
    np.testing.assert_allclose(back[:, 1], TRUTH(back[:, 0]), atol=1e-5)
    added = steps[now].predict(x) - steps[max(now - 1, 0)].predict(x)
    np.testing.assert_allclose(path(bump)[:, 1], added, atol=1e-5)
    both, first, second = (path(each) for each in show.pair(now)["data"])
    x = both[:, :1]
    assert x[0] < -4 and x[-1] > 4, "both ends of the first and of the last bump are seen"
    added = steps[now].predict(x) - steps[max(now - 1, 0)].predict(x)
    np.testing.assert_allclose(first[:, 1] + second[:, 1], both[:, 1], atol=1e-5)
    np.testing.assert_allclose(both[:, 1], added, atol=1e-5)
    assert path(read)[1] == pytest.approx([1.0, steps[now].predict(np.array([[1.0]]))[0]])


def test_the_misses_of_whole_sums_are_drawn_and_this_one_is_ringed() -> None:
    show, found = bumps(8), by_number(TRUTH, NUMBERS, 4.0)
    steps = show.steps
    rms, largest, *rings, told = show.by_number(3)["data"]
    assert rms["x"] == [*NUMBERS] and rms["y"][4] == pytest.approx(steps[-1].miss.rms)
    assert largest["y"] == found[:, 1].tolist()
    assert [(ring["x"], ring["y"]) for ring in rings] == [
        ([8], [steps[-1].miss.rms]),
        ([8], [steps[-1].miss.largest]),
    ]
    assert told["text"] == ["● ○ at the end: 8 bumps"]


def test_the_hidden_units_add_up_to_the_trained_network() -> None:
    show = trained()
    steps = show.steps
    parts = np.concatenate([path(trace) for trace in show.hidden(20)["data"][:2]])
    units = parts[np.isfinite(parts[:, 0])].reshape(4, -1, 2)
    total = units[:, :, 1].sum(axis=0) + steps[20].offset
    np.testing.assert_allclose(total, steps[20].predict(units[0, :, :1]), atol=1e-4)
    curve, goal, mark = show.errors()(9)["data"]
    np.testing.assert_allclose(path(curve)[:, 1], [step.miss.rms for step in steps], rtol=1e-5)
    assert goal["y"] == [steps[0].bumps_miss.rms] * 2
    assert (mark["x"], mark["y"]) == ([9], [steps[9].miss.rms])


def test_the_caption_of_a_bump_has_the_numbers() -> None:
    show = bumps(6)
    step = show.steps[2]
    first, rule, read = show.caption(2).split("\n")
    assert "\u00a0/\u00a01\u00a0=\u00a04" in rule  # one line
    rule = rule.replace("\u00a0", " ")
    assert f"f(−1.5) = {number(-2.0)}." in first
    assert "σ(w (x + 2)) − σ(w (x + 1))" in rule and "= 4 / 1 = 4, so" in rule
    assert f"{number(100 * np.tanh(1.0))} %" in rule
    N = number(step.predict(np.array([[1.0]]))[0])
    assert read.endswith(f"x = 1: the network N is at {N}, the truth f at {number(np.sqrt(3))}.")
    ended, rule, _ = show.caption(6).split("\n")
    miss = show.steps[6].miss
    assert f"by {number(miss.rms)} (root mean square)" in ended
    assert f"Largest miss at 400 places: {number(miss.largest)}, at x = {number(miss.at)}." in rule


@pytest.mark.parametrize(("truth", "at_an_end"), [("sine", True), ("step", False)])
def test_a_largest_miss_beyond_the_middle_of_an_end_part_is_explained(
    truth: str, at_an_end: bool
) -> None:
    steps = list(sigmoid_bumps(TRUTHS[truth], bumps=10, steepness=20.0))
    found = by_number(TRUTHS[truth], NUMBERS, 20.0)
    show, miss = Bumps(Run("", steps), EMPTY, TRUTHS[truth], found, 1.0), steps[-1].miss
    assert (3 - abs(miss.at) < 0.3) == at_an_end
    x = np.linspace(np.sign(miss.at) * 2.75, np.sign(miss.at) * 3, 20)
    level = np.ptp(steps[-1].predict(x[:, None])) < 0.01
    assert level or not at_an_end
    told = f"at x = {number(miss.at)}, where {'an end bump is level' if at_an_end else 'f jumps'}."
    assert told in show.caption(10)
    assert ("Where f jumps" in show.note) != at_an_end


def test_the_diagram_has_the_weights_of_the_newest_units_and_their_curves() -> None:
    show = bumps(6)
    step = show.steps[3]
    weights, units, first, second, total, told = show.network(3)["data"]
    ways = path(weights)[~np.isnan(path(weights)[:, 0])]
    assert len(ways) == 2 * 6, "three nodes: from x to each, and from each to the sum"
    assert np.isnan(path(units)[:, 0]).sum() == 4
    assert told["text"] == [
        "<b>x</b>", "<b>N = Σ</b>", "σ(4 (x + 1))", f"<b>· ({number(step.heights[-2])})</b>",
        "σ(4 (x − 0))", f"<b>· {number(step.heights[-1])}</b>", "4 earlier units",
    ]  # fmt: skip
    x = show.wide
    end = np.abs(show.steps[-1].predict(x[:, None])).max()  # a sum that is higher is cut off there
    for drawn, curve in [
        (first, step.units(x)[:, -2]),
        (second, step.units(x)[:, -1]),
        (total, step.predict(x[:, None]).clip(-end, end)),
    ]:
        up = path(drawn)[:, 1]
        a, b = np.polyfit(curve, up, 1)
        np.testing.assert_allclose(up, a * curve + b, atol=0.01)  # pixels
        assert a > 0
    assert show.network(0)["data"][-1]["text"] == ["<b>x</b>", "<b>N = Σ</b>", "no hidden unit yet"]


def test_the_caption_of_an_epoch_has_the_numbers() -> None:
    show = trained()
    misses = [step.miss.rms for step in show.steps]
    for now in (3, 20):
        first, rule, _ = show.caption(now).split("\n")
        assert first.startswith(f"Epoch {now}: N misses f by {number(misses[now])}")
        best = int(np.argmin(misses[: now + 1]))
        least = f"{number(misses[best])}, at epoch {best}" if best != now else "the least so far"
        assert least in first
    step = show.steps[20]
    j = np.abs(step.heights).argmax()
    assert f"adds {number(step.heights[j])} · σ({number(step.weights[j])} u" in rule
    assert f"miss f by {number(step.bumps_miss.rms)}." in show.answer(20)
