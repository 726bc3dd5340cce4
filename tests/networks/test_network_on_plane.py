import numpy as np
import pytest

from algorithms.core.scaling import standard
from algorithms.data.presets import DATASETS
from algorithms.networks.multilayer_perceptron import multilayer_regression
from algorithms.networks.network_on_plane import network_on_plane
from algorithms.networks.training_account import account_on_plane
from tests.house.check_steps import check_steps, same

PLANE = np.ascontiguousarray(DATASETS["sine"].make(40, noise=0.4, rng=np.random.default_rng(0)).X)
ARGUMENTS = {"plane": PLANE, "hidden": (3, 2)}


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_it_does_not_matter_what_the_columns_are_measured_in() -> None:
    """In units that are powers of two nothing is rounded otherwise."""
    steps = check_steps(network_on_plane(PLANE, hidden=(3,), epochs=20, rng=rng()))
    u, v = standard(PLANE).transform(PLANE).T
    plain = multilayer_regression(u[:, None], v, hidden=(3,), epochs=20, rng=rng())
    larger = network_on_plane(PLANE * [1024, 0.125], hidden=(3,), epochs=20, rng=rng())
    for step, own, other in zip(steps, plain, larger, strict=True):
        assert same(step, own) and same(step, other)


def test_the_account_has_the_losses_of_held_out_points() -> None:
    held = np.arange(40) % 3 == 0
    units = standard(PLANE[~held])
    steps = list(network_on_plane(PLANE[~held], hidden=(3,), epochs=30, rng=rng()))
    found = account_on_plane(steps, units, PLANE[held])
    u, v = units.transform(PLANE[held]).T
    own = [((step.predict(u[:, None]) - v) ** 2).mean() / 2 for step in steps]
    assert found.held_out_loss == pytest.approx(np.array(own)) and found.held_out_error is None
    for now in (0, 7, 30):
        assert found.best_so_far(now) == int(np.argmin(own[: now + 1]))
    assert account_on_plane(steps, units, PLANE[:0]).best_so_far(5) is None
