"""The lab's questions, judged by fractions of the numbers that the question names."""

from fractions import Fraction

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import numbers

SETTINGS = {
    "prevalence": [0.1, 1.0, 5.0, 20.0],
    "sensitivity": [60.0, 90.0, 99.0],
    "alarms": [0.5, 9.0, 30.0],
    "tests": [1, 2, 3],
    "repeat": [0, 50, 100],
}


def judge(asked: Asked) -> str:
    link = {name: Fraction(text) / 100 for name, text in asked.link.items()}
    p, s, f = link["prevalence"], link["sensitivity"], link["alarms"]
    r, results = link.get("repeat", Fraction(0)), asked.after.results
    ill = p * s * (r + (1 - r) * s) ** (results - 1)
    healthy = (1 - p) * f * (r + (1 - r) * f) ** (results - 1)
    right = float(ill / (ill + healthy))
    stated = [numbers(option.text)[0] for option in asked.question.options]
    near = sorted(stated, key=lambda each: abs(each / 100 - right))
    assert near[0] == numbers(asked.right)[0]
    assert abs(near[1] - near[0]) > 1
    return "first" if results == 1 else "further"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    check_judgements("bayes", SETTINGS, count, judge, {"first", "further"})
