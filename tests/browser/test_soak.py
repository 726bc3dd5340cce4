from tests.browser.soak import use


def test_half_a_minute_of_random_use(stage):
    assert use(stage, seconds=30, seed=1) > 5
