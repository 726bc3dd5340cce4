"""ID3: a tree of questions about categorical attributes, with a branch for every answer.

With S the examples at a node and S_v those of them where attribute A has the value v:

    Entropy(S) = - sum_k p_k log2 p_k                    (bits)
    Gain(S, A) = Entropy(S) - sum_v |S_v| / |S| Entropy(S_v)

Update rule: replace a mixed leaf by a question,

    A <- argmax of the score of A over the attributes not yet asked above the leaf

The score is the gain itself, the gain ratio, or one that counts what a question costs:

    gain            Gain(S, A)
    gain ratio      Gain(S, A) / SplitInfo       SplitInfo is the entropy of the sizes |S_v|
    Tan-Schlimmer   Gain(S, A)^2 / Cost(A)
    Nunez           (2^Gain(S, A) - 1) / (Cost(A) + 1)^w       w from 0, costs do not count, to 1

Stop at leaves of one class, or when no attribute is left. A value that none of S has becomes a leaf
with the commonest class of S. Ties (scores within 1e-12) go to the first attribute. Costs only lead
the greedy choice, which need not find the cheapest tree.

Time of a step: O(n a K) for n examples at the node and a attributes left.

The criteria: criterion.py.

Source: 20APC3316 11-12 (002:370) and 16 D (002:550), Mitchell 1997 table 3.1 and 3.7.5; the days
are Quinlan's (1986). The notes cut after three digits: Gain(S_sunny, Humidity) is 0.97095 and
stands there as 0.970.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.attribute_tree import AttributeTree
from algorithms.classification.decision_tree.criterion import Criterion
from algorithms.classification.decision_tree.play_tennis import Table
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

TIE = 1e-12
Event = Literal["pure", "no attribute left"]


def id3(
    data: Table, *, criterion: str = "gain", costs: tuple[float, ...] = (), w: float = 1.0
) -> Iterator["Id3Step"]:
    """Ask one more question a step, depth first, the values in their order.

    The first step is a single leaf. criterion, costs, w : see `Criterion`.

    Raises ValueError, at the call, unless the examples have two or more classes, the criterion is
    known, and, if it counts costs, every attribute has one above 0; w is between 0 and 1.
    """
    how, a = Criterion(criterion, costs, w), len(data.attributes)
    if how.counts_costs and len(costs) != a:
        raise ValueError(f"costs must hold one for each of the {a} attributes, got {len(costs)}")
    validate.labels(data.labels, len(data.labels))
    counts = np.bincount(data.labels, minlength=len(data.classes))
    first = Id3Step(
        attribute=np.array([-1]),
        children=np.full((1, max(map(len, data.values))), -1),
        label=np.array([counts.argmax()]),
        counts=counts[None],
        node=-1,
        candidates=questions(data, np.arange(len(data.labels)), set(), how),
        gain=0.0,
        waiting=(0,),
    )
    return iterate(first, partial(advance, data, how), most=data.examples.size)


def advance(data: Table, how: Criterion, step: "Id3Step") -> "Id3Step":
    """Ask about the attribute with the largest score at the leaf that waits first."""
    node = step.waiting[0]
    rows = np.flatnonzero(step.apply(data.examples) == node)
    candidates = questions(data, rows, step.asked(node), how)
    top = max(question.score for question in candidates) - TIE
    best = next(question for question in candidates if question.score >= top)
    return _asked(data, step, best, candidates)


def entropy(counts: Int[ndarray, "*sets k"]) -> Float[ndarray, "*sets"] | np.float64:
    """Return -sum_k p_k log2 p_k of sets with these class counts; of an empty set 0."""
    p = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return 0.0 - (p * np.log2(p + (p == 0))).sum(axis=-1)  # 0 log 0 = 0, and no -0


def gain(counts: Int[ndarray, "v k"]) -> float:
    """Return Entropy(S) - sum_v |S_v| / |S| Entropy(S_v), from the class counts of every S_v."""
    share = counts.sum(axis=1) / counts.sum()
    return max(float(entropy(counts.sum(axis=0)) - share @ entropy(counts)), 0.0)


def questions(
    data: Table, rows: Int[ndarray, " n"], asked: set[int], how: Criterion
) -> tuple["Question", ...]:
    """Compute the gain of every attribute not asked about yet, for the examples of these rows."""
    found = []
    for A in sorted({*range(len(data.attributes))} - asked):
        counts = data.class_counts(rows, A)
        gained = gain(counts)
        score = how.score(A, gained, float(entropy(counts.sum(axis=1))))
        found.append(Question(A, gained, score, tuple(map(tuple, counts.tolist()))))
    return tuple(found)


@dataclass(frozen=True)
class Question:
    """An attribute at a node: its gain, the score by which it is compared, classes per value."""

    attribute: int
    gain: float
    score: float
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Id3Step(AttributeTree):
    """The tree after one more question; also a model, since `predict` works at every step.

    `label` is the class that a node predicts, `counts` has the classes of its examples. `node` was
    asked about one of the `candidates` (at the start it is -1, with the candidates of the root),
    which gained `gain`. `waiting` are the leaves still to be asked, the next one first.

    Events, at the end: "pure" (every leaf holds one class) or "no attribute left".
    """

    final_events: ClassVar = (*Record.final_events, "pure", "no attribute left")

    label: Int[ndarray, " m"]
    counts: Int[ndarray, "m k"]
    node: int
    candidates: tuple[Question, ...]
    gain: float
    waiting: tuple[int, ...] = field(compare=False)
    event: Event | None = None

    @property
    def entropies(self) -> Float[ndarray, " m"]:
        """Return the entropy of the examples at every node."""
        return np.asarray(entropy(self.counts))

    def spent(
        self, examples: Int[ndarray, "q a"], costs: tuple[float, ...]
    ) -> Float[ndarray, " q"]:
        """Return what the questions on the way of every example cost together."""
        ways = [self.way(leaf) for leaf in self.apply(examples).tolist()]
        return np.array([sum(costs[A] for A in self.attribute[way] if A >= 0) for way in ways])

    def apply(self, examples: Int[ndarray, "q a"]) -> Int[ndarray, " q"]:
        """Return the leaf of every example, or the node that does not know its value."""
        at = np.zeros(len(examples), int)
        for _ in range(examples.shape[1]):
            value = examples[np.arange(len(examples)), self.attribute[at]]
            answered = (self.attribute[at] >= 0) & (value >= 0) & (value < self.children.shape[1])
            child = self.children[at, np.where(answered, value, 0)]
            at = np.where(answered & (child >= 0), child, at)
        return at

    def predict(self, examples: Int[ndarray, "q a"]) -> Int[ndarray, " q"]:
        """Return the index of the class of every example (attribute values as indices)."""
        return self.label[self.apply(examples)]


def _asked(
    data: Table, step: Id3Step, question: Question, candidates: tuple[Question, ...]
) -> Id3Step:
    """Return the step that asks a question at the leaf that waits first, with a leaf per answer."""
    node, m = step.waiting[0], len(step.attribute)
    counts = np.array(question.counts)
    new = np.arange(m, m + len(counts))
    attribute = np.append(step.attribute, np.full(len(new), -1))
    attribute[node] = question.attribute
    children = np.concatenate([step.children, np.full((len(new), step.children.shape[1]), -1)])
    children[node, : len(new)] = new
    # A value that no example has predicts the commonest class of the node above.
    label = np.where(counts.any(axis=1), counts.argmax(axis=1), step.label[node])
    mixed, more = np.count_nonzero(counts, axis=1) > 1, len(candidates) > 1
    waiting = (*new[mixed & more].tolist(), *step.waiting[1:])
    after = Id3Step(
        attribute=attribute,
        children=children,
        label=np.append(step.label, label),
        counts=np.concatenate([step.counts, counts]),
        node=node,
        candidates=candidates,
        gain=question.gain,
        waiting=waiting,
    )
    if waiting:
        return after
    leaves = after.counts[after.attribute < 0]
    mixed = (np.count_nonzero(leaves, axis=1) > 1).any()
    return replace(after, event="no attribute left" if mixed else "pure")
