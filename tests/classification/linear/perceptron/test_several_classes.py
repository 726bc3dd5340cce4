"""Pictures and captions of several classes: valid at every step, and true of the data."""

import re

import numpy as np

from algorithms.classification.linear.perceptron.perceptron_multiclass import perceptron_multiclass
from algorithms.classification.linear.perceptron.perceptron_summary import multiclass_summary
from algorithms.core.features import polynomial_features
from tests.core.figures import line, unpacked
from tests.core.samples import board_of, dataset, rng
from viz.classification.linear.perceptron.perceptron_multiclass import SeveralClasses
from viz.core.scene import Run
from viz.core.words import listed, number, vector

PICTURE, WEIGHTS, PROGRESS = 0, 1, 3  # numbers of views
PICKED = np.array([0.7, -0.4])


class Shown:
    """A run with its mode."""

    def __init__(self, name: str, n: int = 60, *, rescale: bool = False, **how) -> None:
        knob = {key: how.pop(key) for key in ("classes", "noise") if key in how}
        data = dataset(name, n, **knob)
        features = polynomial_features(data.X, 1, standardize=rescale)
        self.F, self.y, self.names = features(data.X), data.labels, data.classes
        self.steps = list(perceptron_multiclass(self.F, self.y, rng=rng(), **how))
        known = multiclass_summary(self.steps, data.X, data.labels, features)
        run = Run("", self.steps)
        self.scene = SeveralClasses(run, board_of(data), features, known, PICKED).scene()


CASES = {
    "three": {"name": "blobs", "noise": 0.8},
    "six": {"name": "blobs", "classes": 6},
    "two": {"name": "moons", "max_epochs": 3},
    "iris": {"name": "iris", "n": 150, "max_epochs": 4},
    "standardised": {"name": "row", "rescale": True, "max_epochs": 5},
    "cyclic": {"name": "gates", "n": 4, "noise": 0.0, "order": "cyclic"},
}


def test_the_captions_recomputed_from_the_data() -> None:
    run, seen = Shown(**CASES["three"]), set()
    for now, step in enumerate(run.steps[1:], 1):
        first, second, third = run.scene.caption(now).split("\n")
        x, own = run.F[step.index], run.y[step.index]
        before = run.steps[now - 1]
        scores = before.weights @ x + before.biases
        lead = np.delete(scores, own).max() - scores[own]
        assert step.mistake == (lead >= 0)
        told = f"Epoch {step.epoch}, sample {step.index + 1}: its scores were {vector(scores)}"
        wrong = np.count_nonzero((run.F @ step.weights.T + step.biases).argmax(axis=1) != run.y)
        assert (
            f"{wrong} of 60 points {'is' if wrong == 1 else 'are'} wrong." in first
            or step.event == "converged"
        )
        if step.mistake:
            taken = np.flatnonzero(scores == np.delete(scores, own).max())
            assert step.rival in taken
            tells = [
                f"class {run.names[k]}: w ← w {sign} x = {vector(step.weights[k])}, "
                f"b ← {number(before.biases[k])} {sign} 1 = {number(step.biases[k])}"
                for k, sign in ((own, "+"), (step.rival, "−"))
            ]
            assert second == f"{told}, x = {vector(x)}; {tells[0]}; {tells[1]}."
            if step.event == "mistake":
                verb = "ties with" if lead == 0 else "is taken for"
                start = f"Sample {step.index + 1} of class {run.names[own]} {verb} class "
                assert first.startswith(
                    f"{start}{run.names[step.rival]} (mistake {step.mistakes}):"
                )
                seen.add(verb)
        else:
            assert second == f"{told} for classes {listed(run.names)}."
        asked = step.weights @ PICKED + step.biases
        assert third == (
            f"Picked point: class {run.names[int(asked.argmax())]} has the highest of the scores "
            f"{vector(asked)}."
        )
    assert seen == {"ties with", "is taken for"}


def test_the_captions_say_how_it_ends() -> None:
    def ending(case: str) -> str:
        run = Shown(**CASES[case])
        return run.scene.caption(len(run.steps) - 1)

    three = Shown(**CASES["three"])
    assert "all scores are 0, so any first sample is a mistake" in three.scene.caption(0)
    assert three.steps[1].mistake and not all(step.mistake for step in three.steps[1:61])
    assert re.match(r"Converged: epoch \d+ had no mistake; \d+ mistakes in all", ending("six"))
    assert ending("iris").startswith("Stopped after all 4 epochs, with ")
    assert "Cycle: the weights are those of 1 epoch ago" in ending("cyclic")
    run = Shown(**CASES["iris"])
    made = sum(step.mistake for step in run.steps[151:301])
    assert run.scene.caption(300).startswith(f"Epoch 2 is over, with {made} mistakes (")


def test_the_regions_are_those_of_the_highest_score_and_the_ring_is_on_the_sample() -> None:
    run = Shown(**CASES["three"])
    step = run.steps[9]
    figure = run.scene.views[PICTURE].draw(9)
    edges = line(figure["data"][1])
    edges = edges[np.isfinite(edges[:, 0])]
    scores = np.sort(step.scores(edges), axis=1)
    size = np.abs(step.rows).max()
    assert (scores[:, -1] - scores[:, -2]).max() < 0.1 * size
    points = np.column_stack([unpacked(figure["points"][axis]) for axis in "xy"])
    np.testing.assert_allclose(line(figure["data"][2])[0], points[step.index], rtol=1e-6)
    wrong = unpacked(figure["points"]["wrong"]).astype(bool)
    np.testing.assert_array_equal(wrong, step.scores(run.F).argmax(axis=1) != run.y)


def test_a_mistake_moves_two_vectors_by_the_sample_and_the_others_stay() -> None:
    run = Shown(**CASES["six"])
    lengths: tuple[list[float], list[float]] = [], []  # of moves that are not drawn, and drawn
    for now, step in enumerate(run.steps):
        arrows = [line(trace) for trace in run.scene.views[WEIGHTS].draw(now)["data"]]
        for k in range(6):
            vector_of_k, change = arrows[2 * k : 2 * k + 2]
            np.testing.assert_allclose(vector_of_k[-1], step.weights[k], atol=1e-5)
            moved = step.mistake and k in (run.y[step.index], step.rival)
            drawn = np.isfinite(change[-1]).all()
            assert moved or not drawn  # a short move is not drawn
            if moved:
                lengths[int(drawn)].append(np.abs(run.F[step.index]).max())
            if drawn:
                sign = 1 if k == run.y[step.index] else -1
                np.testing.assert_allclose(
                    change[-1] - change[0], sign * run.F[step.index], atol=1e-5
                )
    assert max(lengths[0]) <= min(lengths[1])


def test_the_curves_are_those_of_the_run() -> None:
    run = Shown(**CASES["two"])
    errors, mark, losses, _ = run.scene.views[PROGRESS].draw(7)["data"]
    assert unpacked(errors["y"]).tolist() == [step.errors(run.F, run.y) for step in run.steps]
    expected = [step.perceptron_loss(run.F, run.y) for step in run.steps]
    np.testing.assert_allclose(unpacked(losses["y"]), expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose([mark["x"], mark["y"]], line(errors)[[7]].T)
