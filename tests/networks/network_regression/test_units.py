import numpy as np
import pytest

from algorithms.core.pipeline import on_plane, plane_units
from algorithms.core.scaling import standard
from algorithms.networks.multilayer_perceptron.multilayer_perceptron import multilayer_regression
from algorithms.networks.multilayer_perceptron.training_summary import number_summary
from tests.core.samples import points_of, rng
from tests.house.check_steps import check_steps, same

PLANE = np.ascontiguousarray(points_of("sine", 40, noise=0.4))


def test_it_does_not_matter_what_the_columns_are_measured_in() -> None:
    """In units that are powers of two nothing is rounded otherwise."""
    steps = check_steps(on_plane(multilayer_regression, PLANE, hidden=(3,), epochs=20, rng=rng(1)))
    u, v = plane_units(PLANE)(PLANE).T
    plain = multilayer_regression(u[:, None], v, hidden=(3,), epochs=20, rng=rng(1))
    larger = on_plane(
        multilayer_regression, PLANE * [1024, 0.125], hidden=(3,), epochs=20, rng=rng(1)
    )
    for step, own, other in zip(steps, plain, larger, strict=True):
        assert same(step, own) and same(step, other)


def test_the_account_has_the_losses_of_held_out_points() -> None:
    held = np.arange(40) % 3 == 0
    units = standard(PLANE[~held])
    steps = list(on_plane(multilayer_regression, PLANE[~held], hidden=(3,), epochs=30, rng=rng(1)))
    found = number_summary(steps, units, PLANE[held])
    u, v = units.transform(PLANE[held]).T
    own = [((step.predict(u[:, None]) - v) ** 2).mean() / 2 for step in steps]
    assert found.held_out_loss == pytest.approx(np.array(own)) and found.held_out_error is None
    for now in (0, 7, 30):
        assert found.best_so_far(now) == int(np.argmin(own[: now + 1]))
    assert number_summary(steps, units, PLANE[:0]).best_so_far(5) is None
