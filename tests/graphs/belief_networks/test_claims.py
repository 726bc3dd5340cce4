"""What the lesson on belief networks says of its experiments."""

from algorithms.core.record import last
from algorithms.graphs.belief_networks import elimination
from algorithms.graphs.belief_networks.elimination import variable_elimination
from algorithms.graphs.belief_networks.examples import BELIEF_NETWORKS
from tests.house.claims import Numbers, Trial, claims_test


def p(steps, k: int, name: str) -> float:
    """Return P(yes) of a variable at a step."""
    return float(steps[k].posteriors[name][1])


def away(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert [step.seen[-1:] for step in steps] == [(), ("Wet grass",), ("Rain",)]
    return [p(steps, k, "Sprinkler") for k in range(3)]


def two(trial: Trial) -> Numbers:
    steps = trial.steps()
    sprinkler = trial.steps(sprinkler="yes", wet_grass="not seen", rain="not seen")
    return [
        *(p(steps, k, "Sprinkler") for k in range(3)),
        p(steps, 0, "Wet grass"), p(sprinkler, -1, "Wet grass"),
    ]  # fmt: skip


def chain(trial: Trial) -> Numbers:
    end = trial.steps()[-1].beliefs
    prior = elimination.posteriors(BELIEF_NETWORKS["a chain"].network, {})
    down = trial.steps(wet_grass="not seen", clouds="yes")[-1].beliefs
    return [
        end["Clouds"][1], prior["Clouds"][1], end["Rain"][1], prior["Rain"][1],
        down["Wet grass"][1],
    ]  # fmt: skip


def calls(trial: Trial) -> Numbers:
    steps = trial.steps()
    quake = trial.steps(earthquake="yes")
    return [
        p(steps, 0, "Burglary"), p(steps, 1, "Burglary"), p(steps, 2, "Burglary"),
        p(steps, 2, "Alarm"), p(quake, -1, "Burglary"),
    ]  # fmt: skip


def eight(trial: Trial) -> Numbers:
    steps = trial.steps()
    return [steps[-1].sent, steps[2].beliefs["Alarm"][1], steps[-1].beliefs["Alarm"][1]]


def loop(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert end.event == "converged"
    belief, exact = end.beliefs, end.posteriors
    return [
        end.sent, belief["Rain"][1], exact["Rain"][1], belief["Sprinkler"][1],
        exact["Sprinkler"][1],
    ]  # fmt: skip


def clouds(trial: Trial) -> Numbers:
    steps = trial.steps()
    assert steps[1].variable == "Clouds" and steps[1].left.names == ("Sprinkler", "Rain")
    return [steps[1].product.table.size, steps[-1].posterior[1], steps[-1].rows]


def order(trial: Trial) -> Numbers:
    network = BELIEF_NETWORKS["storm"].network
    found = []
    for way in ("largest", "smallest"):
        steps = list(variable_elimination(network, {"Late": 1}, "Power cut", order=way))
        found += [steps[-1].rows, max(step.product.table.size for step in steps)]
    assert last(trial.steps()).rows == found[0]
    return [2 ** len(network), *found, trial.steps()[-1].posterior[1]]


def late(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert end.separated and len(end.paths) == 2
    assert not trial.steps(late="yes")[-1].separated
    network = BELIEF_NETWORKS["storm"].network
    found = [
        elimination.posteriors(network, {"Storm": 1, "Power cut": v} | seen)["Fallen tree"][1]
        for seen in ({}, {"Late": 1})
        for v in (1, 0)
    ]
    assert found[0] == found[1]
    return found[1:]


def nothing(trial: Trial) -> Numbers:
    end = trial.steps()[-1]
    assert not end.separated
    network = end.network
    found = [elimination.posteriors(network, {"Clouds": value})["Wet grass"][1] for value in (0, 1)]
    assert abs(found[0] - found[1]) < 1e-12
    return [network["Rain"].table[0, 1], found[0]]


test_claims = claims_test(
    "belief_networks",
    {
        "Explaining away": away,
        "Two causes": two,
        "Up and down a chain": chain,
        "Two calls": calls,
        "Eight messages": eight,
        "Around the loop": loop,
        "Clouds first": clouds,
        "Which order?": order,
        "Late again": late,
        "Open, and yet nothing": nothing,
    },
)
