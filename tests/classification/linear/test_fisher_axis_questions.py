from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["Fisher"],
    "data": ["moons", "parallel", "outlier"],
    "noise": [0.2, 0.6],
    "n": [40, 200],
}


def judge(asked: Asked) -> str:
    steps = (asked.before, asked.after)
    if asked.question.text.endswith("What does J do?"):
        was, will = (step.ratio for step in steps)
    else:
        was, will = (abs(step.means[1] - step.means[0]) for step in steps)
    assert asked.right == ("it rises" if will > was else "it falls")
    return "J" if asked.question.text.endswith("J do?") else "means"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("gaussian_discriminant", SETTINGS, count, judge, {"J", "means"})
