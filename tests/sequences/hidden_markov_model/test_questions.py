"""The lab's questions, judged by products of the tables that are not scaled."""

import re

import numpy as np

from algorithms.sequences.hidden_markov_model.examples import HIDDEN_MODELS
from algorithms.sequences.hidden_markov_model.model import Model
from tests.app.questions import SAMPLES, Asked, check_judgements

SETTINGS = {
    "view": ["states", "path", "learning"],
    "model": list(HIDDEN_MODELS),
    "length": [2, 5, 8, 12],
    "symbols": [20, 100],
    "seed": range(100),
}


def judge(asked: Asked) -> str:
    assert asked.run.call
    o, *tables = asked.run.call.args
    model, text = Model(*tables), asked.question.text
    states = HIDDEN_MODELS[asked.link["model"]].states
    if text.startswith("M-step"):
        return most_changed(asked)
    t = int(re.search(r"time (\d+)", text, re.IGNORECASE)[1]) - 1
    if "most probable?" in text:
        forward = forwards(model, o)[t]
        assert asked.right == states[forward.argmax()]
        return "forward"
    if text.startswith("Back to time"):
        i = next(i for i, name in enumerate(states) if f"probability of {name}" in text)
        forward = forwards(model, o)[t]
        both = forward * backwards(model, o)[t]
        rises = both[i] / both.sum() > forward[i] / forward.sum()
        assert asked.right == ("it rises" if rises else "it falls")
        return "hindsight"
    best, ways = bests(model, o)
    if text.startswith("Going back"):
        path = [int(best[-1].argmax())]
        for way in ways[:0:-1]:
            path.insert(0, int(way[path[0]]))
        assert asked.right == states[path[t]]
        return "back"
    j = next(i for i, name in enumerate(states) if f"path into {name}" in text)
    assert asked.right == states[ways[t][j]]
    return "predecessor"


def forwards(model: Model, o: np.ndarray) -> list[np.ndarray]:
    """P(q_t, o_1..o_t)."""
    found = [model.start * model.emissions[:, o[0]]]
    for symbol in o[1:]:
        found.append(found[-1] @ model.transitions * model.emissions[:, symbol])
    return found


def backwards(model: Model, o: np.ndarray) -> list[np.ndarray]:
    """P(o_(t+1)..o_T | q_t)."""
    found = [np.ones(len(model.start))]
    for symbol in o[:0:-1]:
        found.insert(0, model.transitions @ (model.emissions[:, symbol] * found[0]))
    return found


def bests(model: Model, o: np.ndarray) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the probability of the best path into every state, and where it comes from."""
    best, ways = [model.start * model.emissions[:, o[0]]], [np.full(len(model.start), -1)]
    for symbol in o[1:]:
        into = best[-1][:, None] * model.transitions
        ways.append(into.argmax(axis=0))
        best.append(into.max(axis=0) * model.emissions[:, symbol])
    return best, ways


def most_changed(asked: Asked) -> str:
    """Count the shares from the posteriors of the expectation."""
    assert asked.run.call
    o, before = asked.run.call.args[0], asked.before
    counts = np.array(
        [before.posteriors[o == symbol].sum(axis=0) for symbol in range(before.emissions.shape[1])]
    ).T
    new = counts / counts.sum(axis=1, keepdims=True)
    change = new - before.emissions
    moved = change.flat[np.abs(change).argmax()]
    assert asked.right == ("it rises" if moved > 0 else "it falls")
    return "learning"


@SAMPLES
def test_the_run_itself_says_what_is_right(count: int) -> None:
    kinds = {"forward", "hindsight", "back", "predecessor", "learning"}
    check_judgements("hidden_markov_model", SETTINGS, count, judge, kinds)
