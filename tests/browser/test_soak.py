from tests.browser.soak import use


def test_two_minutes_of_random_use(stage):
    assert use(stage, seconds=120, seed=1) > 20
