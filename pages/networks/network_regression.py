"""The modes of the lab; its lesson is network_regression.md."""

from functools import partial
from typing import Any

from algorithms.core.iterate import resumed
from algorithms.core.pipeline import on_plane
from algorithms.core.scaling import standard
from algorithms.core.splits import held_out
from algorithms.networks.multilayer_perceptron import multilayer_perceptron
from algorithms.networks.multilayer_perceptron.training import number_task
from algorithms.networks.multilayer_perceptron.training_summary import number_summary
from pages._shared.ask.network import HELD_OUT, RATES, choose_training
from pages._shared.ask.place import picked_x
from pages._shared.ask.split import split_rng
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from pages._shared.lab.what_if import Ways, rate_from_there, what_if
from viz.core.scene import Plane, Run
from viz.networks.network_regression import NumberEpochs


def training(lab: Lab) -> Shown:
    """Train the network, epoch by epoch, on the points that are not held out."""
    points = lab.plane.X
    held = held_out(len(points), HELD_OUT, rng=split_rng(0), at_least=1)
    chosen = choose_training(lab, int((~held).sum()), optimizer="Adam", rate=0.03)
    scaling, query = lab.later(standard, points[~held]), picked_x(lab)
    algorithm, learned = multilayer_perceptron.multilayer_regression, points[~held]
    run = lab.run(on_plane, algorithm, learned, **chosen.how())

    def show(run: Run, data: Plane) -> Shown:
        summary = lab.later(number_summary, run, scaling, points[held])
        return lab.scene(
            NumberEpochs, run, data, scaling, summary, held, query, chosen.training,
            code=multilayer_perceptron,
        )  # fmt: skip

    def change_rate(ways: Ways, step: int) -> Run:
        rate = rate_from_there(ways, RATES, chosen.training.learning_rate)
        task: Any = lab.later(on_plane, number_task, learned, **chosen.how(learning_rate=rate))
        advance = partial(multilayer_perceptron.advance, task)
        left = chosen.how()["epochs"] - step
        return lab.run(resumed, run, step, advance, advance, most=left, stopped=None)

    return what_if(lab, run, show, change_rate)


MODES = {"training": training}

if __name__ == "__main__":
    open_lab(__file__, data="sine").show(MODES)
