import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.markov_random_field.exact import exact_shares
from algorithms.graphs.markov_random_field.gibbs_sampling import gibbs_sampling
from algorithms.graphs.markov_random_field.picture import field_of
from tests.graphs.markov_random_field import brute_force
from tests.house.check_steps import AsInTheApp, check_steps

ARGUMENTS = {"image": brute_force.picture(0, (6, 5))[0], "coupling": 0.4, "sweeps": 20}


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
def test_in_the_long_run_shares_are_probabilities(seed: int) -> None:
    y, coupling, data_weight = brute_force.picture(seed)
    how = {"coupling": coupling, "data_weight": data_weight, "temperature": 1.5}
    end = last(gibbs_sampling(y, sweeps=20_000, rng=np.random.default_rng(seed), **how))
    np.testing.assert_allclose(end.share, exact_shares(y, **how), atol=0.03)


def test_drawing_a_cell_is_reversible() -> None:
    """Detailed balance: p(x) p(x -> x') = p(x') p(x' -> x), for every cell."""
    y, coupling, data_weight = brute_force.picture(1, (2, 3))
    field = field_of(y, coupling, data_weight)
    for x in brute_force.all_pictures((2, 3)):
        black = field.black_probability(x, 0.7)
        for cell in range(x.size):
            up, down = x.copy(), x.copy()
            up.flat[cell], down.flat[cell] = 1, -1
            rise = brute_force.energy(up, y, coupling, data_weight)
            fall = brute_force.energy(down, y, coupling, data_weight)
            p = black.flat[cell]
            np.testing.assert_allclose(np.log(p / (1 - p)), (fall - rise) / 0.7)


def test_steps_count_black_and_know_their_energy() -> None:
    y, coupling, data_weight = brute_force.picture(2, (5, 6))
    rng = np.random.default_rng(0)
    steps = check_steps(
        gibbs_sampling(y, coupling=coupling, data_weight=data_weight, sweeps=30, rng=rng)
    )
    assert [step.sweep for step in steps] == list(range(31))
    assert steps[-1].event == "finished"
    np.testing.assert_array_equal(
        steps[-1].black, sum((step.image == 1).astype(int) for step in steps[1:])
    )
    for step in steps:
        direct = brute_force.energy(step.image, y, coupling, data_weight)
        np.testing.assert_allclose(step.energy, direct, atol=1e-9)


def test_cold_it_takes_the_lower_energy_and_without_any_weight_it_draws_by_chance() -> None:
    y = brute_force.picture(0, (8, 8))[0]
    rng = np.random.default_rng(0)
    cold = last(gibbs_sampling(y, coupling=0.0, temperature=1e-3, sweeps=5, rng=rng))
    np.testing.assert_array_equal(cold.image, y)
    free = last(gibbs_sampling(y, coupling=0.0, data_weight=0.0, sweeps=400, rng=rng))
    np.testing.assert_allclose(free.share, 0.5, atol=0.15)


def test_bad_arguments_are_refused_at_the_call() -> None:
    y, rng = np.ones((3, 3)), np.random.default_rng(0)
    with AsInTheApp():
        with pytest.raises(ValueError, match="temperature must"):
            gibbs_sampling(y, coupling=1.0, temperature=0.0, rng=rng)
        with pytest.raises(ValueError, match="sweeps must"):
            gibbs_sampling(y, coupling=1.0, sweeps=0, rng=rng)
