"""What the lesson of the hidden Markov model says of its experiments."""

import numpy as np

from algorithms.core.record import last
from algorithms.sequences.hidden_markov_model.baum_welch import baum_welch, first_tables, matched
from algorithms.sequences.hidden_markov_model.examples import HIDDEN_MODELS
from algorithms.sequences.hidden_markov_model.forward_backward import forward_backward
from algorithms.sequences.hidden_markov_model.model import Model, sample
from algorithms.sequences.hidden_markov_model.viterbi import viterbi
from tests.house.claims import Numbers, Trial, claims_test
from tests.sequences.hidden_markov_model.joint import log_joint

DIE = HIDDEN_MODELS["fair and loaded die"].model
FAIR, LOADED = 0, 1


def throws(length: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return sample(DIE, length, rng=np.random.default_rng(seed))


def hindsight(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    o = throws(12, 2)[1]
    assert [t + 1 for t in np.flatnonzero(o == 5)] == [9, 11, 12]
    at_9 = end.filtered[8, LOADED], end.posteriors[8, LOADED]
    assert end.filtered[11, LOADED] == end.posteriors[11, LOADED]
    return [*at_9, 11, 12, 11, end.posteriors[11, LOADED]]


def no_way_through(trial: Trial) -> Numbers:
    path = trial.steps()[-1].path
    named = HIDDEN_MODELS["three rooms in a row"]
    hall, corridor, kitchen = range(3)
    o = np.array([hall, hall, kitchen, kitchen])
    gamma = last(forward_backward(o, *named.model)).posteriors
    singly = gamma.argmax(axis=1)
    assert singly[1:3].tolist() == [hall, kitchen]
    assert log_joint(named.model, singly, o) == -np.inf
    assert path.tolist() == [hall, corridor, kitchen, kitchen]
    return [2, gamma[1, hall], 3, gamma[2, kitchen], gamma[1, corridor]]


def two_answers(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    o = throws(12, 2)[1]
    all_ = last(forward_backward(o, *DIE))
    assert (o[8:] == 5).sum() == 3 and (end.path == FAIR).all()
    assert np.flatnonzero(all_.posteriors.argmax(axis=1) == LOADED).tolist() == [8, 9, 10, 11]
    share = np.exp(end.log_probability - all_.log_likelihood)
    return [12, 9, 100 * share]


def ice_creams(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    more = trial.steps(seen="0,2;1,2;2,2")[-1]
    return [np.exp(end.log_likelihood), 2**3, end.posteriors[1, 0], more.posteriors[1, 0]]


def ends(stay: float) -> list[float]:
    """Return ln P at the end of learning, from 20 random initial tables."""
    o = throws(500, 0)[1]
    starts = (first_tables(2, 6, stay, rng=np.random.default_rng(seed)) for seed in range(20))
    return [last(baum_welch(o, *tables, tol=0.01)).log_likelihood for tables in starts]


def a_hint_helps(trial: Trial) -> Numbers:
    best = trial.steps()[-1].log_likelihood
    hinted, even = ends(4.0), ends(0.0)
    assert np.allclose(hinted, best, atol=0.1)
    found = np.isclose(even, best, atol=0.1)
    worse = np.array(even)[~found]
    assert worse.max() < best - 5
    return [best, 20, int(found.sum()), 20, worse[np.abs(worse + 868.9).argmin()]]


def better_than_the_truth(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    states, o = throws(500, 0)
    truth = last(forward_backward(o, *DIE))
    learned = matched(end.emissions, DIE.emissions)[end.posteriors.argmax(axis=1)]
    named = [int((each == states).sum()) for each in (learned, truth.posteriors.argmax(axis=1))]
    return [end.log_likelihood, truth.log_likelihood, len(o), *named]


test_claims = claims_test(
    "hidden_markov_model",
    {
        "Hindsight": hindsight,
        "No way through": no_way_through,
        "Two answers": two_answers,
        "Ice creams": ice_creams,
        "A hint helps": a_hint_helps,
        "Better than the truth?": better_than_the_truth,
    },
)


def test_learning_rarely_finds_the_weather() -> None:
    """As the lesson says, the symbols alone need not distinguish the states."""
    model = HIDDEN_MODELS["weather and ice creams"].model
    _, o = sample(model, 500, rng=np.random.default_rng(0))
    right = []
    for seed in range(20):
        tables = first_tables(2, 3, 4.0, rng=np.random.default_rng(seed))
        end = last(baum_welch(o, *tables, tol=0.01))
        order = matched(end.emissions, model.emissions)
        found = Model(end.start, end.transitions[order][:, order], end.emissions[order])
        right.append(np.abs(found.emissions - model.emissions).max() < 0.05)
    assert sum(right) <= 5


def test_the_symbols_and_bars_that_are_dragged_are_those_of_the_run(session) -> None:
    from pages._shared.lab.catalogue import LABS

    (lab,) = (each for each in LABS if each.name == "hidden_markov_model")
    link = {"model": "weather and ice creams", "length": "3", "seen": "0,1.7;1,0.2;2,2"}
    session.open(lab, **link, emissions1="0,0.2;1,0.2;2,0.4")
    assert session.state.refused == []
    handles = {each["name"]: each["places"] for each in session.stage["handles"]}
    assert handles["seen"] == [[0, 2], [1, 0], [2, 2]]
    np.testing.assert_allclose(np.array(handles["emissions1"])[:, 1], [0.25, 0.25, 0.5])
    run = session.run_shown
    given = HIDDEN_MODELS["weather and ice creams"].model
    emissions = np.array([[0.25, 0.25, 0.5], given.emissions[1]])
    o = np.array([2, 0, 2])
    expected = last(forward_backward(o, given.start, given.transitions, emissions))
    np.testing.assert_allclose(run.steps[-1].posteriors, expected.posteriors)
    best = last(viterbi(o, given.start, given.transitions, emissions))
    session.open(lab, **link, emissions1="0,0.2;1,0.2;2,0.4", view="path")
    np.testing.assert_array_equal(session.run_shown.steps[-1].path, best.path)
