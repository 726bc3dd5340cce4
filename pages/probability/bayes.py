"""The modes of the lab; its lesson is bayes.md."""

from algorithms.probability import bayes as algorithm
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.probability.bayes import Bayes


def people(lab: Lab) -> Shown:
    """Sort a thousand people by illness and by test."""
    p = lab.slider("prevalence", "Prevalence (% of all)", 0.1, 50.0, 1.0, 0.1)
    s = lab.slider("sensitivity", "Sensitivity (% of the ill)", 50.0, 100.0, 90.0, 0.5)
    f = lab.slider("alarms", "False positives (% of the healthy)", 0.0, 50.0, 9.0, 0.5)
    tests = lab.slider("tests", "Tests, all positive", 1, algorithm.MOST_TESTS, 1)
    repeat = 0
    if tests > 1:
        repeat = lab.slider("repeat", "Results that repeat (%)", 0, 100, 0, 10)
    run = lab.run_apart(
        algorithm.thousand_people, p / 100, s / 100, f / 100, tests=tests, repeat=repeat / 100
    )
    return lab.scene(Bayes, run, tests, repeat / 100, code=algorithm)


MODES = {"a thousand people": people}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
