"""The lab's questions, judged by regressions on the points and by conditional means."""

import re

import numpy as np

from tests.app.questions import SAMPLES, Asked, check_judgements
from tests.core.told import value

SETTINGS = {
    "view": ["factors"],
    "data": ["gauges", "correlated", "penguins", "spiral"],
    "factors": [1, 2],
    "own": [0],
    "query": ["-0.5,0.4", "0.3,0.1", "1.1,-1.2"],
    "sample": range(20),
}


def judge(asked: Asked) -> str:
    before, after, X = asked.steps[asked.now], asked.after, asked.data.table
    T = X - X.mean(axis=0)
    if after.phase == "maximization":
        name = re.search("Column “(.+?)”", asked.question.text)[1]
        j = asked.data.columns.index(name)
        Lambda, psi = before.loadings, before.noise_variances
        Sigma = Lambda @ Lambda.T + np.diag(psi)
        z = T @ np.linalg.solve(Sigma, Lambda)
        C = np.eye(Lambda.shape[1]) - Lambda.T @ np.linalg.solve(Sigma, Lambda) + z.T @ z / len(X)
        Sz = T[:, j] @ z / len(X)
        rises = T[:, j].var() - Sz @ np.linalg.solve(C, Sz) > psi[j]
        kind = "noise"
    else:
        old, new = (
            T @ np.linalg.solve(each.implied, each.loadings[:, 0])
            for each in (asked.steps[asked.now - 1], after)
        )
        told = value(re.search("z₁ = (.+?)\\. ", asked.question.text)[1])
        (near,) = np.nonzero(np.isclose(old, told, rtol=5e-3, atol=5e-4))
        kind = "estimate"
        rises = bool((new > old)[near[np.abs(old[near] - told).argmin()]])
    assert asked.right == ("it rises" if rises else "it falls")
    return f"{kind} {asked.right[3:]}"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"noise rises", "noise falls", "estimate rises", "estimate falls"}
    check_judgements("factor_analysis", SETTINGS, count, judge, kinds)


TURNS = {"view": ["rotation"], "data": ["correlated", "gauges", "iris"], "fitted": [2, 3]}
TURNS |= {"sample": range(20)}


def judge_turn(asked: Asked) -> str:
    name = re.search("loading of “(.+?)” on", asked.question.text)[1]
    before, after = asked.steps[asked.now], asked.after
    x, y = before.loadings[asked.data.columns.index(name), :2]
    turn = np.radians(after.angle - before.angle)
    k = 0 if "f₁" in asked.question.text else 1
    new = (x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn))[k]
    assert asked.right == ("it rises" if abs(new) > abs((x, y)[k]) else "it falls")
    return asked.right


@SAMPLES
def test_turning_the_axes_says_what_is_right(count: int) -> None:
    check_judgements("factor_analysis", TURNS, count, judge_turn, {"it rises", "it falls"})
