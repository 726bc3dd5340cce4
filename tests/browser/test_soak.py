"""Two minutes of random use in a browser: no page may fail."""

import pytest

from tests.browser.soak import use

pytestmark = [pytest.mark.long, pytest.mark.timeout(400)]


@pytest.mark.parametrize("seed", [1])
def test_two_minutes_of_random_use(stage, seed):
    done, left_alone = use(stage, seconds=120, seed=seed)
    assert done > 20
    assert left_alone < 0.3 * done, "most of what a visitor tries must be possible"
