"""ID3 on examples with missing values: an example goes down several branches, in fractions.

Let w_i be the fraction of example i at a node; at the root it is 1. Ask about attribute A. The
examples whose value is known give the share p_v of every value, and with these shares the others
go down all branches at once:

    p_v  = sum of w_i with A(x_i) = v / sum of w_i with A(x_i) known
    w_iv = w_i if A(x_i) = v,   p_v w_i if A(x_i) is missing,   0 for other values

Everything else is as in ID3, with sums of fractions instead of counts. |S| is the sum of the
w_i, |S_v| that of the w_iv, and p_k the share of class k in such a sum:

    Entropy(S) = - sum_k p_k log2 p_k                    (bits)
    Gain(S, A) = Entropy(S) - sum_v |S_v| / |S| Entropy(S_v)

Update rule: replace a mixed leaf by a question,

    A <- argmax of Gain(S, A) over the attributes not yet asked above the leaf

among those that some example at the leaf knows. A leaf with fewer than two examples in all stays a
leaf. Prediction: an example goes down in fractions, too, and every leaf adds its class shares,

    P(k) = sum over the leaves of (fraction of x there) * (share of class k there)

Time of a step: O(n a K) at the node, and O(n m) for the way down the m nodes.

Source: 20APC3316 16 E (002:566), Mitchell 1997 3.7.4. C4.5 also multiplies the gain by the share of
examples whose value is known; here, as in Mitchell, the gain is that of the fractions.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from algorithms.classification.decision_tree.attribute_tree import AttributeTree
from algorithms.classification.decision_tree.id3 import TIE
from algorithms.classification.decision_tree.play_tennis import Table
from algorithms.core import validate
from algorithms.core.iterate import iterate
from algorithms.core.record import Record

LEAST = 2.0  # examples of a leaf that is asked
MISSING = -1  # the code of a value that is missing
Event = Literal["pure", "stopped"]


def id3_with_missing_values(
    data: Table, missing: Bool[ndarray, "n a"]
) -> Iterator["FractionsStep"]:
    """Ask one more question a step, depth first; missing : which values of the table are unknown.

    The first step is a single leaf.

    Raises ValueError, at the call, unless the examples have two or more classes and `missing` has
    the shape of the examples.
    """
    validate.labels(data.labels, len(data.labels))
    if missing.shape != data.examples.shape:
        raise ValueError(
            f"missing must have shape {data.examples.shape}, as the examples, got {missing.shape}"
        )
    examples = np.where(missing, MISSING, data.examples)
    counts = np.bincount(data.labels, minlength=len(data.classes)).astype(float)
    first = FractionsStep(
        attribute=np.array([-1]),
        children=np.full((1, max(map(len, data.values))), -1),
        share=np.ones(1),
        counts=counts[None],
        shares=counts[None] / counts.sum(),
        node=-1,
        candidates=questions(data, examples, np.ones(len(examples)), set()),
        waiting=(0,) if (examples != MISSING).any() else (),
    )
    first = first if first.waiting else replace(first, event="stopped")
    return iterate(first, partial(advance, data, examples), most=data.examples.size)


def advance(data: Table, examples: Int[ndarray, "n a"], step: "FractionsStep") -> "FractionsStep":
    """Ask about the attribute with the largest gain at the leaf that waits first."""
    node = step.waiting[0]
    w = step.fractions(examples)[node]
    candidates = questions(data, examples, w, step.asked(node))
    top = max(question.gain for question in candidates) - TIE
    best = next(question for question in candidates if question.gain >= top)
    return _asked(data, examples, step, best, candidates)


def removed(data: Table, share: float, *, rng: np.random.Generator) -> Bool[ndarray, "n a"]:
    """Draw which values of a table are missing, each with probability `share`."""
    return rng.random(data.examples.shape) < share


def split(
    x: Int[ndarray, " n"], w: Float[ndarray, " n"], values: int
) -> tuple[Float[ndarray, " v"], Float[ndarray, "v n"]]:
    """Return p_v and w_iv for the values x of an attribute and the fractions w at the node."""
    known = np.array([w[x == v].sum() for v in range(values)])
    p = known / known.sum()
    goes = np.where(x == MISSING, p[:, None], x == np.arange(values)[:, None])
    return p, goes * w


def gain(counts: Float[ndarray, "v k"]) -> float:
    """Return Entropy(S) - sum_v |S_v| / |S| Entropy(S_v), from the class sums of every S_v."""
    share = counts.sum(axis=1) / counts.sum()
    p = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    below = 0.0 - (p * np.log2(p + (p == 0))).sum(axis=1)
    before = counts.sum(axis=0) / counts.sum()
    return max(float(-(before * np.log2(before + (before == 0))).sum() - share @ below), 0.0)


def questions(
    data: Table, examples: Int[ndarray, "n a"], w: Float[ndarray, " n"], asked: set[int]
) -> tuple["FractionQuestion", ...]:
    """Compute the gain of every attribute not asked yet that an example at the node knows."""
    found = []
    for A in sorted({*range(len(data.attributes))} - asked):
        if w[examples[:, A] != MISSING].sum() > TIE:
            p, parts = split(examples[:, A], w, len(data.values[A]))
            counts = parts @ np.eye(len(data.classes))[data.labels]
            found.append(
                FractionQuestion(A, gain(counts), tuple(p), tuple(map(tuple, counts.tolist())))
            )
    return tuple(found)


@dataclass(frozen=True)
class FractionQuestion:
    """An attribute at a node: its gain, p_v, and the class sums of every S_v."""

    attribute: int
    gain: float
    p: tuple[float, ...]
    counts: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, eq=False)
class FractionsStep(AttributeTree):
    """The tree after one more question; also a model, since `predict` works at every step.

    `share` is the p_v of the branch that leads to a node. `counts` are sums of fractions by class,
    and `shares` the class shares that a node predicts: those of the node above, if no example comes
    there. `node` was asked about one of the `candidates` (at the start it is -1, with those of the
    root). `waiting` are the leaves still to be asked, the next one first.

    Events, at the end: "pure" (every leaf holds one class) or "stopped" (leaves stay mixed: nothing
    is left to ask there, or they have fewer than two examples).
    """

    final_events: ClassVar = (*Record.final_events, "pure", "stopped")

    share: Float[ndarray, " m"]
    counts: Float[ndarray, "m k"]
    shares: Float[ndarray, "m k"]
    node: int
    candidates: tuple[FractionQuestion, ...]
    waiting: tuple[int, ...] = field(compare=False)
    event: Event | None = None

    @property
    def leaves(self) -> Int[ndarray, " l"]:
        """Return the nodes that predict."""
        return np.flatnonzero(self.attribute < 0)

    @property
    def chosen(self) -> FractionQuestion | None:
        """Return the question that was asked, None at the start."""
        asked = (q for q in self.candidates if q.attribute == self.attribute[self.node])
        return next(asked) if self.node >= 0 else None

    def fractions(self, examples: Int[ndarray, "q a"]) -> Float[ndarray, "m q"]:
        """Return the fraction of every example at every node; -1 stands for a missing value."""
        w = np.ones((len(self.attribute), len(examples)))
        for node, A in enumerate(self.attribute.tolist()):
            for v, child in enumerate(self.children[node].tolist()):
                if child >= 0:
                    x = examples[:, A]
                    w[child] = w[node] * np.where(x == MISSING, self.share[child], x == v)
        return w

    def predict_proba(self, examples: Int[ndarray, "q a"]) -> Float[ndarray, "q k"]:
        """Return P(k) = sum over the leaves of (fraction there) * (share of class k there)."""
        return self.fractions(examples)[self.leaves].T @ self.shares[self.leaves]

    def predict(self, examples: Int[ndarray, "q a"]) -> Int[ndarray, " q"]:
        """Return the index of the most probable class of every example."""
        return self.predict_proba(examples).argmax(axis=1)


def _asked(
    data: Table,
    examples: Int[ndarray, "n a"],
    step: FractionsStep,
    question: FractionQuestion,
    candidates: tuple[FractionQuestion, ...],
) -> FractionsStep:
    """Return the step that asks a question at the leaf that waits first, with a leaf per answer."""
    node, m, counts = step.waiting[0], len(step.attribute), np.array(question.counts)
    new = np.arange(m, m + len(counts))
    attribute = np.append(step.attribute, np.full(len(new), -1))
    attribute[node] = question.attribute
    children = np.concatenate([step.children, np.full((len(new), step.children.shape[1]), -1)])
    children[node, : len(new)] = new
    sums = counts.sum(axis=1, keepdims=True)
    shares = np.where(sums > TIE, counts / np.maximum(sums, TIE), step.shares[node])
    after = FractionsStep(
        attribute=attribute,
        children=children,
        share=np.append(step.share, question.p),
        counts=np.concatenate([step.counts, counts]),
        shares=np.concatenate([step.shares, shares]),
        node=node,
        candidates=candidates,
        waiting=(),
    )
    w = after.fractions(examples)
    more = [
        leaf
        for leaf in new.tolist()
        if w[leaf].sum() >= LEAST - TIE
        and np.count_nonzero(after.counts[leaf] > TIE) > 1
        and questions(data, examples, w[leaf], after.asked(leaf))
    ]
    after = replace(after, waiting=(*more, *step.waiting[1:]))
    if after.waiting:
        return after
    mixed = (np.count_nonzero(after.counts[after.leaves] > TIE, axis=1) > 1).any()
    return replace(after, event="stopped" if mixed else "pure")
