"""ID3: a tree of questions about categorical attributes, a branch for every answer.

With S the examples at a node and S_v those of them where attribute A has the value v:

    Entropy(S) = - sum_k p_k log2 p_k                    (bits)
    Gain(S, A) = Entropy(S) - sum_v |S_v| / |S| Entropy(S_v)

Update rule: replace a mixed leaf by the question about the attribute with the largest gain among
those not yet asked above it. Stop at leaves of one class, or when no attribute is left. A value
that none of S has becomes a leaf with the commonest class of S. Ties (gains within 1e-12) go to
the first attribute. With the gain ratio, the gain is divided by the entropy of the sizes |S_v|.

Cost of a step: O(n a K) for n examples at the node and a attributes left.

Source: 20APC3316 11-12 (002:370), Mitchell 1997 table 3.1; the days are Quinlan's (1986). The notes
cut after three digits: Gain(S_sunny, Humidity) is 0.97095 and stands there as 0.970.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from algorithms.classification.trees._impurity import cost, logs
from algorithms.core import validate
from algorithms.core.record import Record

TIE = 1e-12
Event = Literal["pure", "no attribute left"]


@dataclass(frozen=True, eq=False)
class Table(Record):
    """Examples with categorical attributes and a class, all as indices into their names."""

    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]  # of each attribute
    target: str
    classes: tuple[str, ...]
    examples: Int[ndarray, "n a"]
    labels: Int[ndarray, " n"]


def table(text: str) -> Table:
    """Read a table from words: a line of names, then a line per example, the class last.

    Raises ValueError if there is no example, or a line has more or fewer words than the first.
    """
    (*attributes, target), *rows = [line.split() for line in text.strip().splitlines()]
    if not rows or not attributes:
        raise ValueError("a table needs a line of names and at least one example")
    for number, row in enumerate(rows, 1):
        if len(row) != len(attributes) + 1:
            raise ValueError(f"example {number} must have {len(attributes) + 1} words, got {row}")
    # In the order in which they appear, as the textbook writes them.
    columns = [tuple(dict.fromkeys(column)) for column in zip(*rows, strict=True)]
    codes = np.array(
        [[names.index(word) for names, word in zip(columns, row, strict=True)] for row in rows]
    )
    return Table(
        tuple(attributes), tuple(columns[:-1]), target, columns[-1], codes[:, :-1], codes[:, -1]
    )


PLAY_TENNIS = table("""
    Outlook  Temperature Humidity Wind   PlayTennis
    Sunny    Hot         High     Weak   No
    Sunny    Hot         High     Strong No
    Overcast Hot         High     Weak   Yes
    Rain     Mild        High     Weak   Yes
    Rain     Cool        Normal   Weak   Yes
    Rain     Cool        Normal   Strong No
    Overcast Cool        Normal   Strong Yes
    Sunny    Mild        High     Weak   No
    Sunny    Cool        Normal   Weak   Yes
    Rain     Mild        Normal   Weak   Yes
    Sunny    Mild        Normal   Strong Yes
    Overcast Mild        High     Strong Yes
    Overcast Hot         Normal   Weak   Yes
    Rain     Mild        High     Strong No
""")


@dataclass(frozen=True)
class Question:
    """An attribute at a node: its gain, its score (gain or gain ratio), the classes per value."""

    attribute: int
    gain: float
    score: float
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Id3Step(Record):
    """The tree after one more question; also a model, since `predict` works at every step.

    Nodes are numbered as they came. `attribute` is -1 at a leaf; `children` holds for every node
    and value the child, -1 where there is none; `label` is the class a node predicts, `counts` and
    `entropies` are those of its examples. `node` was asked about one of the `candidates` (at the
    start it is -1, with the candidates of the root), which gained `gain`.

    Events, at the end: "pure" (every leaf holds one class) or "no attribute left".
    """

    attribute: Int[ndarray, " m"]
    children: Int[ndarray, "m v"]
    label: Int[ndarray, " m"]
    counts: Int[ndarray, "m k"]
    entropies: Float[ndarray, " m"]
    node: int
    candidates: tuple[Question, ...]
    gain: float
    event: Event | None = None

    def apply(self, examples: Int[ndarray, "q a"]) -> Int[ndarray, " q"]:
        """Return the leaf of every example; an unknown value ends where it is not known."""
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


def id3(data: Table, *, gain_ratio: bool = False) -> Iterator[Id3Step]:
    """Ask one more question a step, depth first, the values in their order.

    The first step is a single leaf.

    Raises ValueError, at the call, unless the examples have two or more classes.
    """
    validate.labels(data.labels, len(data.labels))
    return _grow(data, gain_ratio)


@dataclass
class _Node:
    """A node while the tree grows: its examples, and what was asked on the way to it."""

    rows: Int[ndarray, " n"]
    counts: Int[ndarray, " k"]
    label: int
    asked: tuple[int, ...]
    attribute: int = -1
    children: tuple[int, ...] = ()

    @property
    def mixed(self) -> bool:
        return bool(np.count_nonzero(self.counts) > 1)


def _grow(data: Table, gain_ratio: bool) -> Iterator[Id3Step]:
    k = len(data.classes)
    counts = np.bincount(data.labels, minlength=k)
    nodes = [_Node(np.arange(len(data.labels)), counts, int(counts.argmax()), ())]
    waiting = [0]  # a stack: depth first
    node, gain, candidates = -1, 0.0, _questions(data, nodes[0], gain_ratio)
    while True:
        event: Event | None = None
        if not waiting:
            mixed = any(leaf.mixed for leaf in nodes if leaf.attribute < 0)
            event = "no attribute left" if mixed else "pure"
        yield _step(data, nodes, node, candidates, gain, event)
        if not waiting:
            return
        node = waiting.pop()
        candidates = _questions(data, nodes[node], gain_ratio)
        top = max(question.score for question in candidates) - TIE
        best = next(question for question in candidates if question.score >= top)
        gain = best.gain
        new = _ask(data, nodes, node, best.attribute)
        waiting += [
            child
            for child in reversed(new)
            if nodes[child].mixed and len(nodes[child].asked) < len(data.attributes)
        ]


def _ask(data: Table, nodes: list[_Node], node: int, attribute: int) -> range:
    """Put a question at a node and a child for each of its answers; return the children."""
    parent = nodes[node]
    answers = data.examples[parent.rows, attribute]
    new = range(len(nodes), len(nodes) + len(data.values[attribute]))
    parent.attribute, parent.children = attribute, tuple(new)
    for value in range(len(new)):
        rows = parent.rows[answers == value]
        counts = np.bincount(data.labels[rows], minlength=len(data.classes))
        label = int(counts.argmax()) if len(rows) else parent.label
        nodes.append(_Node(rows, counts, label, (*parent.asked, attribute)))
    return new


def _step(
    data: Table,
    nodes: list[_Node],
    node: int,
    candidates: tuple[Question, ...],
    gain: float,
    event: Event | None,
) -> Id3Step:
    children = np.full((len(nodes), max(map(len, data.values))), -1)
    for row, one in zip(children, nodes, strict=True):
        row[: len(one.children)] = one.children
    counts = np.array([one.counts for one in nodes])
    sizes = counts.sum(axis=1)
    return Id3Step(
        attribute=np.array([one.attribute for one in nodes]),
        children=children,
        label=np.array([one.label for one in nodes]),
        counts=counts,
        entropies=cost("entropy", len(data.labels))(counts.T, sizes) / np.maximum(sizes, 1),
        node=node,
        candidates=candidates,
        gain=gain,
        event=event,
    )


def _questions(data: Table, node: _Node, gain_ratio: bool) -> tuple[Question, ...]:
    """Weigh every attribute that was not yet asked about."""
    n, k = len(node.rows), len(data.classes)
    bits, log = cost("entropy", n), logs(n)
    before = float(bits(node.counts, np.array(n)))
    questions = []
    for attribute, values in enumerate(data.values):
        if attribute in node.asked:
            continue
        cells = data.examples[node.rows, attribute] * k + data.labels[node.rows]
        counts = np.bincount(cells, minlength=len(values) * k).reshape(-1, k)
        sizes = counts.sum(axis=1)
        gain = max((before - float(bits(counts.T, sizes).sum())) / n, 0.0)
        information = float(log[n] - log[sizes].sum()) / n
        score = gain / information if gain_ratio and information > 0 else gain
        questions.append(Question(attribute, gain, score, tuple(map(tuple, counts.tolist()))))
    return tuple(questions)
