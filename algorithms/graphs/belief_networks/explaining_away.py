"""Explaining away: a second cause that is seen makes the first one less needed for their effect.

An effect E that is seen raises the probability of its cause A by

    rise(e) = P(A | e, E) - P(A | e),        e: what else is seen

A second cause B of E explains E away if P(A) falls when B is seen, and less than half of the rise
is left: rise(e, B) < rise(e) / 2.

Cost: six times the elimination of all variables, for an effect.

Source: 20APC3316 (002:3046; P(S | W) and P(S | R, W)).
"""

from collections.abc import Mapping

from algorithms.graphs.belief_networks.elimination import posteriors
from algorithms.graphs.belief_networks.examples import YES
from algorithms.graphs.belief_networks.network import Network

LEAST = 0.004  # a smaller rise explains nothing


def explained_away(network: Network, evidence: Mapping[str, int], cause: str) -> str | None:
    """Return the effect of a cause that the newest evidence, another cause, explains away, if any.

    evidence : in the order in which it was seen. Effects and causes are there if their value is 1.
    """
    *earlier, newest = evidence
    before = {name: evidence[name] for name in earlier}
    fell = _probability(network, evidence, cause) < _probability(network, before, cause)
    if cause in evidence or evidence[newest] != YES or not fell:
        return None
    for effect in earlier:
        causes = network[effect].parents
        if evidence[effect] == YES and cause in causes and newest in causes:
            rise = _rise(network, before, effect, cause)
            if rise > LEAST and _rise(network, evidence, effect, cause) < rise / 2:
                return effect
    return None


def without(network: Network, evidence: Mapping[str, int], effect: str, cause: str) -> float:
    """Return the probability of a cause if its effect were not among the evidence."""
    others = {name: value for name, value in evidence.items() if name != effect}
    return _probability(network, others, cause)


def _rise(network: Network, evidence: Mapping[str, int], effect: str, cause: str) -> float:
    """Return by how much an effect that is seen raises the probability of its cause."""
    return _probability(network, evidence, cause) - without(network, evidence, effect, cause)


def _probability(network: Network, evidence: Mapping[str, int], cause: str) -> float:
    return float(posteriors(network, evidence)[cause][YES])
