from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "xor", "penguins"],
    "noise": [0.3, 1.0],
    "n": [40, 200],
    "seed": range(100),
    "miss": [0.3, 1, 10],
    "kept": [20, 100],
}


def judge(asked: Asked) -> str:
    before, after = asked.before, asked.after
    if asked.question.text.endswith("What does the cost do?"):
        assert asked.right == ("it rises" if after.cost > before.cost else "it falls")
        return "cost"
    up = after.true_positive_rate > before.true_positive_rate
    right = after.false_positive_rate > before.false_positive_rate
    ways = {(True, False): "up", (False, True): "to the right", (True, True): "up and to the right"}
    assert asked.right == ways[up, right]
    return "way"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("thresholds", SETTINGS, count, judge, {"cost", "way"})
