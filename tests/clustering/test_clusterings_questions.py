from sklearn.metrics import adjusted_rand_score

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["moons", "blobs", "circles", "stretched"],
    "n": [40, 100],
    "noise": [0.1, 0.3],
    "k": [2, 3],
    "seed": range(100),
}


def judge(asked: Asked) -> str:
    # Noise counts as one more cluster.
    old, new = (adjusted_rand_score(asked.labels, s.labels) for s in (asked.before, asked.after))
    gain = new - old
    right = "equally near" if abs(gain) < 1e-9 else "nearer" if gain > 0 else "farther"
    assert asked.right == right
    assert asked.after.method.name in asked.question.text
    return right


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("clusterings", SETTINGS, count, judge, {"equally near", "nearer", "farther"})
