from tests.browser.soak import use


def test_a_minute_of_random_use(stage):
    assert use(stage, seconds=60, seed=1) > 10
