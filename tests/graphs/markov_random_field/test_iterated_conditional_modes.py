from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from algorithms.core.record import last
from algorithms.graphs.markov_random_field.iterated_conditional_modes import (
    STEPS,
    iterated_conditional_modes,
)
from algorithms.graphs.markov_random_field.picture import field_of
from tests.graphs.markov_random_field import brute_force
from tests.house.check_steps import AsInTheApp, check_steps
from tests.house.checked import Checked

ARGUMENTS = {"image": brute_force.picture(0, (6, 5))[0], "coupling": 0.8}

PLAIN = Checked(
    "markov_random_field",
    "a plain loop over all cells, which compares both energies of each",
    40,
    "noisy pictures of 6 x 7",
)


def by_hand(y: np.ndarray, coupling: float, data_weight: float) -> tuple[np.ndarray, list[int]]:
    """Run iterated conditional modes as it is defined; return the picture and the flipped cells."""
    x, cells = y.copy(), []
    while True:
        before = len(cells)
        for cell in range(x.size):
            other = x.copy()
            other.flat[cell] *= -1
            was, new = (brute_force.energy(z, y, coupling, data_weight) for z in (x, other))
            if new < was - 1e-9:
                x = other
                cells.append(cell)
        if len(cells) == before:
            return x, cells


@pytest.mark.parametrize("seed", range(PLAIN.cases))
def test_agrees_with_a_plain_loop(seed: int) -> None:
    y, coupling, data_weight = brute_force.picture(seed, (6, 7))
    x, cells = by_hand(y, coupling, data_weight)
    run = partial(iterated_conditional_modes, y, coupling=coupling, data_weight=data_weight)
    steps = check_steps(run())
    assert [step.cell for step in steps[1:]] == cells
    np.testing.assert_array_equal(steps[-1].image, x)
    sweeps = check_steps(run(by="sweep"))
    np.testing.assert_array_equal(sweeps[-1].image, x)
    assert sum(step.in_step for step in sweeps) == len(cells) == steps[-1].flips
    news = sum(step.event == "next sweep" for step in steps)
    begun = sum(b <= a for a, b in pairwise(cells))
    assert len(sweeps) - 1 == (begun + 1 if cells else 0)
    assert begun - news in (0, 1)  # the last flip of all is called "converged"


@pytest.mark.parametrize("by", STEPS)
def test_the_energy_is_that_of_the_notes_and_falls(by: str) -> None:
    for seed in range(20):
        y, coupling, data_weight = brute_force.picture(seed, (5, 4))
        steps = list(
            iterated_conditional_modes(y, coupling=coupling, data_weight=data_weight, by=by)
        )
        energies = [step.energy for step in steps]
        direct = [brute_force.energy(step.image, y, coupling, data_weight) for step in steps]
        np.testing.assert_allclose(energies, direct, atol=1e-9)
        assert (np.diff(energies) < 0).all()
        assert steps[-1].event == "converged"


def test_flipping_a_cell_changes_the_energy_by_twice_its_field() -> None:
    y, coupling, data_weight = brute_force.picture(3, (4, 6))
    x = brute_force.picture(4, (4, 6))[0]
    field = field_of(y, coupling, data_weight)
    for cell in range(x.size):
        other = x.copy()
        other.flat[cell] *= -1
        change = field.energy(other) - field.energy(x)
        np.testing.assert_allclose(change, 2 * (x * field.fields(x)).flat[cell])


def test_a_tie_stays() -> None:
    """Two of four neighbours, or all four at coupling 1/4, weigh as much as what was observed."""
    for coupling, h in ((0.25, 1.0), (0.1, 0.4), (0.3, 1.2)):
        alone = -np.ones((5, 5), int)
        alone[2, 2] = 1
        assert last(iterated_conditional_modes(alone, coupling=coupling, data_weight=h)).flips == 0
        more = iterated_conditional_modes(alone, coupling=coupling + 0.01, data_weight=h)
        assert last(more).flips == 1


def test_without_coupling_the_observed_picture_stays() -> None:
    y = brute_force.picture(0)[0]
    (only,) = iterated_conditional_modes(y, coupling=0.0)
    assert only.event == "converged"
    np.testing.assert_array_equal(only.image, y)


def test_bad_arguments_are_refused_at_the_call() -> None:
    y = np.ones((3, 3))
    with AsInTheApp():
        for image in (np.zeros((3, 3)), np.full((2, 2), np.nan), np.ones(4)):
            with pytest.raises(ValueError, match="image must"):
                iterated_conditional_modes(image, coupling=1.0)
        with pytest.raises(ValueError, match="coupling must"):
            iterated_conditional_modes(y, coupling=-1.0)
        with pytest.raises(ValueError, match="data_weight must"):
            iterated_conditional_modes(y, coupling=1.0, data_weight=-1.0)
        with pytest.raises(ValueError, match="by must"):
            iterated_conditional_modes(y, coupling=1.0, by="row")
