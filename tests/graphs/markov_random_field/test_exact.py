import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.markov_random_field.exact import exact_shares, most_probable_picture
from algorithms.graphs.markov_random_field.iterated_conditional_modes import (
    iterated_conditional_modes,
)
from tests.graphs.markov_random_field import brute_force
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"image": brute_force.picture(0, (6, 5))[0], "coupling": 0.4}
SHAPES = [(3, 4), (4, 3), (2, 5), (5, 2), (1, 6), (6, 1)]

LOWEST = Checked(
    "markov_random_field",
    "the energies of all pictures, one by one, for the lowest one",
    30,
    "noisy pictures of up to 12 cells",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(LOWEST.cases))
def test_no_picture_has_a_lower_energy(seed: int) -> None:
    shape = SHAPES[seed % len(SHAPES)]
    y, coupling, data_weight = brute_force.picture(seed, shape)
    steps = check_steps(most_probable_picture(y, coupling=coupling, data_weight=data_weight))
    assert LOWEST.within
    for rows, step in enumerate(steps[1:], 1):
        top = y[:rows]
        energies = [
            brute_force.energy(x, top, coupling, data_weight)
            for x in brute_force.all_pictures(top.shape)
        ]
        np.testing.assert_allclose(step.energy, min(energies), rtol=0, atol=LOWEST.within)
        found = brute_force.energy(step.image[:rows], top, coupling, data_weight)
        np.testing.assert_allclose(found, step.energy, rtol=0, atol=LOWEST.within)
        assert not step.image[rows:].any()
    assert steps[-1].event == "finished" and steps[-1].rows == shape[0]


SHARES = Checked(
    "markov_random_field",
    "the sums over all pictures, one by one, for the share of black",
    30,
    "noisy pictures of up to 12 cells",
    within=1e-9,
)


@pytest.mark.parametrize("seed", range(SHARES.cases))
def test_shares_are_those_of_all_pictures(seed: int) -> None:
    y, coupling, data_weight = brute_force.picture(seed, SHAPES[seed % len(SHAPES)])
    T = 0.3 + 0.1 * seed
    ours = exact_shares(y, coupling=coupling, data_weight=data_weight, temperature=T)
    assert SHARES.within
    theirs = brute_force.shares(y, coupling, data_weight, T)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=SHARES.within)


def test_iterated_conditional_modes_is_never_lower() -> None:
    stuck = 0
    for seed in range(30):
        y, coupling, data_weight = brute_force.picture(seed, (7, 8))
        best = last(most_probable_picture(y, coupling=coupling, data_weight=data_weight)).energy
        flips = iterated_conditional_modes(y, coupling=coupling, data_weight=data_weight)
        found = last(flips).energy
        assert best <= found + 1e-9
        stuck += best < found - 1e-9
    assert stuck > 5


def test_wide_pictures_are_refused() -> None:
    with AsInTheApp():
        for function in (most_probable_picture, exact_shares):
            with pytest.raises(ValueError, match="at most 16 columns"):
                function(np.ones((2, 17)), coupling=1.0)
