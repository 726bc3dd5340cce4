"""The modes of the lab; its lesson is hidden_markov_model.md."""

import numpy as np
from numpy import ndarray

from algorithms.core.record import last
from algorithms.sequences.hidden_markov_model import baum_welch, forward_backward, viterbi
from algorithms.sequences.hidden_markov_model.examples import HIDDEN_MODELS, NamedModel
from algorithms.sequences.hidden_markov_model.model import Model, sample
from pages._shared.lab.mode_tools import Lab, Shown
from pages._shared.lab.page import open_lab
from viz.sequences.hidden_markov_model.baum_welch import BaumWelch
from viz.sequences.hidden_markov_model.forward_backward import ForwardBackward
from viz.sequences.hidden_markov_model.marks import Task
from viz.sequences.hidden_markov_model.viterbi import Viterbi

SEEN, TABLES = 2, 3  # the views with the observations and with the tables
FIRST = {"states that stay": 4.0, "nearly even": 0.0}  # how much more often a state stays at first
TOL = 0.01  # by which ln P(seen) has to rise, or learning ends


def states(lab: Lab) -> Shown:
    """Go forward and backward: how likely is each state?"""
    task = ask_task(lab)
    run = lab.run_apart(forward_backward.forward_backward, task.observations, *task.model)
    return lab.scene(ForwardBackward, run, task, code=forward_backward)


def path(lab: Lab) -> Shown:
    """Find the most probable path."""
    task = ask_task(lab)
    given = task.observations, *task.model
    run = lab.run_apart(viterbi.viterbi, *given)
    posteriors = lab.later(singly, *given)
    return lab.scene(Viterbi, run, task, posteriors, code=viterbi)


def learning(lab: Lab) -> Shown:
    """Learn the tables from the symbols alone."""
    named = ask_model(lab)
    length = lab.log_slider("symbols", "Symbols seen", [20, 50, 100, 200, 500, 1000], 500)
    seed = lab.number("seed", "Seed of the sequence", 0, 9999, 0)
    first = lab.buttons("first", "First tables", list(FIRST), "states that stay")
    start = lab.number("start", "Seed of the first tables", 0, 9999, 0)
    hidden, observations = sample(named.model, int(length), rng=np.random.default_rng(seed))
    k, s = named.model.emissions.shape
    tables = baum_welch.first_tables(k, s, FIRST[first], rng=np.random.default_rng(start))
    run = lab.run_apart(baum_welch.baum_welch, observations, *tables, tol=TOL)
    return lab.scene(
        BaumWelch, run, Task(observations, named.model, named), hidden, code=baum_welch
    )


def singly(*given: ndarray) -> ndarray:
    """Return the probability of every state at every time."""
    return last(forward_backward.forward_backward(*given)).posteriors


def ask_model(lab: Lab) -> NamedModel:
    """Ask for the tables of the model."""
    names = list(HIDDEN_MODELS)
    return HIDDEN_MODELS[lab.choice("model", "Model", names, names[0])]


def ask_task(lab: Lab) -> Task:
    """Ask for the model, its tables, and what is observed; both can be dragged."""
    named = ask_model(lab)
    length = lab.slider("length", "Times", 2, 12, 12)
    seed = lab.number("seed", "Seed of the sequence", 0, 9999, 26)
    drawn = sample(named.model, length, rng=np.random.default_rng(seed))[1]
    observations = ask_observations(lab, named, drawn)
    return Task(observations, ask_tables(lab, named), named)


def ask_observations(lab: Lab, named: NamedModel, drawn: ndarray) -> ndarray:
    """Ask for the symbols, which are dragged up and down; the nearest symbol counts."""
    T, s = len(drawn), len(named.symbols)
    default = np.column_stack([np.arange(T), drawn]).astype(float)
    within = (0.0, T - 1.0, 0.0, s - 1.0)
    places = lab.places("seen", "Symbol", default, look="line", within=within, view=SEEN, along="y")
    seen = np.rint(places[:, 1]).astype(int)
    lab.handles[-1]["places"] = np.column_stack([np.arange(T), seen]).astype(float).tolist()
    return seen


def ask_tables(lab: Lab, named: NamedModel) -> Model:
    """Ask how likely each state is to stay, and for its symbols, whose bars are dragged."""
    pi, A, B = named.model
    k, s = B.shape
    transitions, emissions = A.copy(), B.copy()
    for i, name in enumerate(named.states):
        stay = lab.slider(f"stay{i + 1}", f"Stay in {name}", 0.0, 1.0, float(A[i, i]), 0.05)
        others = np.delete(np.arange(k), i)
        share = A[i, others] / A[i, others].sum()
        transitions[i, i], transitions[i, others] = stay, (1 - stay) * share
        x = i * (s + 1) + np.arange(s, dtype=float)
        default, within = np.column_stack([x, B[i]]), (x[0], x[-1], 0.0, 1.0)
        label = f"Probability in {name}"
        places = lab.places(
            f"emissions{i + 1}", label, default, look="line", within=within, view=TABLES, along="y"
        )
        row = places[:, 1]
        emissions[i] = row / row.sum() if row.sum() else 1 / s
        lab.handles[-1]["places"] = np.column_stack([x, emissions[i]]).tolist()
    return Model(pi, transitions, emissions)


MODES = {"states": states, "path": path, "learning": learning}

if __name__ == "__main__":
    open_lab(__file__, data=None).show(MODES)
