import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "eta": [0.003, 0.01, 0.03],
    "eta2": [0.03, 0.1, 0.3],
    "beta": [0.5, 0.9],
    "angle": [0, 30, 45],
    "steps": [30, 100],
    "kappa": [2, 10, 50],
    "view": ["race", "constraint"],
    "across": [1, 3, 10],
    "turn": [0, 30, 60],
    "rate": [0.02, 0.1],
    "from": ["-1.5,2.5", "-2.6,1.6", "2,2"],
    "other": [False, True],
}
RULES = ["gradient", "momentum", "AdaGrad", "RMSProp", "Adam"]


def judge(asked: Asked) -> str:
    before, after, text = asked.before, asked.after, asked.question.text
    if text.startswith("What does the height"):
        i = RULES.index(text.removeprefix("What does the height of ").removesuffix(" do?"))
        assert asked.right == ("it rises" if after.heights[i] > before.heights[i] else "it falls")
        return "height"
    if text.startswith("What does the multiplier"):
        assert asked.right == ("it rises" if after.multiplier > before.multiplier else "it falls")
        return "multiplier"
    if text.startswith("Where is the ball"):
        assert asked.right == ("on the wall" if after.behind == 0 else "away from the wall")
        return "wall"
    far = np.linalg.norm(after.places - before.places, axis=1)
    assert asked.right == RULES[far.argmax()]
    return "longest"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("descent", SETTINGS, count, judge, {"height", "longest", "multiplier", "wall"})
