from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "data": ["sine", "step", "line with outliers"],
    "n": [30, 60],
    "seed": range(100),
    "rounds": [10, 60],
    "rate": [0.1, 0.5],
    "depth": [1, 3],
    "loss": ["squared", "absolute"],
    "held": [0, 30],
    "query": ["0,-3", "1.5,-3"],
}


def judge(asked: Asked) -> str:
    """Work the next step out again: the leaf at the picked x, or the mean over the held-out."""
    X, before, after = asked.X, asked.before, asked.after
    if "held-out" in asked.question.text:
        held = after.held_out_error - before.held_out_error
        assert asked.right == ("it rises" if held > 0 else "it falls")
        return "error"
    x = float(asked.link["query"].split(",")[0])
    inside = after.drawn & (
        after.tree.cuts.searchsorted(X[:, 0]) == after.tree.cuts.searchsorted([x])
    )
    r = sorted((X[:, 1] - before.predict(X[:, :1]))[inside])
    middle = (
        sum(r) / len(r)
        if asked.link["loss"] == "squared"
        else (r[(len(r) - 1) // 2] + r[len(r) // 2]) / 2
    )
    assert asked.right == ("it rises" if middle > 0 else "it falls")
    return "curve"


@SAMPLES
def test_the_run_itself_says_what_is_right(count):
    check_judgements("gradient_boosting", SETTINGS, count, judge, {"error", "curve"})
