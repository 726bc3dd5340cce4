"""Pictures and words for ID3: the table, the tree and the gains."""

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from algorithms.classification.trees.id3 import Id3Step, Question, Table
from viz.classification.trees import id3_questions, tree_diagram
from viz.classification.trees.tree_diagram import ABSENT, INNER, LEAF, WAITING, Diagram
from viz.core import curves, plane
from viz.core.scene import Figure, Run, Scene, View
from viz.core.theme import GREY, RGB

NOTE = (
    "Quinlan's table of 14 days; the points on the board are not used. An answer has the colour of "
    "its days' commonest class, the paler the more mixed they are; days elsewhere are dim. In the "
    "tree, a ring: still to ask; bold: the way of the day to follow. The course notes cut after "
    "three digits: they print 0.970, 0.570 and 0.019 where a rounded value would be 0.971, 0.571 "
    "and 0.020."
)
_SHADES, _STRONGEST = 8, 110  # steps of the shade of an answer; opacity of 255 of a pure one
_SHARP = 4  # cells of the shades' image for a letter, lest their edges blur

RULES = "The last step's tree as rules: a disjunction of conjunctions for every class"


def ask(run: Run, data: Table, day: int) -> Scene:
    """Show question after question. day : the number of the example to follow, from 1."""
    steps, whole = run.steps, tree(data, run.steps[-1])
    highest = max(question.gain for step in steps for question in step.candidates)
    views = [
        View(
            "The examples at the node that is asked, and how pure every answer is",
            lambda now: picture(data, day, steps, now),
        ),
        View("The tree", lambda now: diagram(whole, data.examples[day - 1], steps, now)),
        View(
            "Why this question: the gain of every attribute",
            lambda now: gains(data, highest, steps, now),
        ),
    ]
    return Scene(
        views,
        lambda now: caption(data, day, steps, now),
        note=NOTE,
        details=[(RULES, rules(data, steps[-1]))],
        ask=id3_questions.ask(data, steps),
    )


def picture(data: Table, day: int, steps: Sequence[Id3Step], now: int) -> Figure:
    """Draw the table. The examples at the node that is asked stand out, and so does the question.

    day : the example to follow, framed.
    """
    step = steps[now]
    here = _examples_at(data, steps, now)
    asked = step.attribute[step.node] if step.node >= 0 else -1
    rows = np.arange(len(data.labels))
    head = ["Day", *data.attributes, data.target]
    words = [
        [f"D{i + 1}", *(data.values[a][v] for a, v in enumerate(row)), data.classes[label]]
        for i, (row, label) in enumerate(zip(data.examples, data.labels, strict=True))
    ]
    width = np.array([max(map(len, column)) + 2.0 for column in zip(head, *words, strict=True)])
    middle, end = width.cumsum() - width / 2, float(width.sum())
    x, y = np.tile(middle, len(rows)), np.repeat(rows + 1.0, len(head))
    bright = np.repeat(here, len(head))
    texts = np.array(words).ravel().tolist()
    traces = [
        _answers(data, here, width),
        _words(middle, np.zeros(len(head)), [f"<b>{name}</b>" for name in head]),
        _words(x, np.where(bright, y, -9), texts),
        _words(x, np.where(bright, -9, y), texts, opacity=0.35),
    ]
    left, right = (-9.0, -9.0)
    if asked >= 0:
        left, right = middle[asked + 1] + np.array([-0.5, 0.5]) * width[asked + 1]
    shapes = [
        {"type": "rect", "x0": left, "x1": right, "y0": -0.5, "y1": len(rows) + 0.5}
        | {"line": {"width": 3, "color": GREY}},
        {"type": "rect", "x0": 0.2, "x1": end - 0.2, "y0": day - 0.45, "y1": day + 0.45}
        | {"line": {"width": 2, "dash": "dash", "color": GREY}},
    ]
    layout = {
        "xaxis": {"range": [0, end], "visible": False},
        # An image would tie the axes to each other.
        "yaxis": {"range": [len(rows) + 0.7, -0.7], "visible": False, "scaleanchor": False},
        "margin": {"l": 6, "r": 6, "t": 6, "b": 6},
        "dragmode": False,
        "hovermode": False,
        "showlegend": False,
        "shapes": shapes,
    }
    return {"data": traces, "layout": layout}


def _answers(data: Table, here: ndarray, width: ndarray) -> dict:
    """Shade every answer by its commonest class among the examples that are there.

    width : of the columns, the first of which names the examples, and the last their class.
    """
    k, n = len(data.classes), len(here)
    cells = np.zeros((n, len(width)), int)  # 0 is no shade
    for j, answers in enumerate([*data.examples.T, data.labels], 1):
        counts = np.zeros((int(answers.max()) + 1, k))
        np.add.at(counts, (answers[here], data.labels[here]), 1)
        share = counts.max(axis=1) / np.maximum(counts.sum(axis=1), 1)
        shade = np.rint(plane.certainty(share, k) * (_SHADES - 1)).astype(int)
        cells[here, j] = (1 + counts.argmax(axis=1) * _SHADES + shade)[answers[here]]
    fills = np.repeat(np.array(RGB[:k], np.uint8), _SHADES, axis=0)
    colors = np.concatenate([np.zeros((1, 3), np.uint8), fills])
    opacity = np.append(0, np.tile(np.linspace(0, _STRONGEST, _SHADES), k)).astype(np.uint8)
    sharp = cells.repeat(_SHARP * width.astype(int), axis=1).repeat(8 * _SHARP, axis=0)
    return plane.image(
        sharp.astype(np.uint8), colors, opacity, (0, float(width.sum()), 0.5, n + 0.5)
    )


def tree(data: Table, last: Id3Step) -> Diagram:
    """Place the nodes of the last step's tree, and write at each what it asks or says."""
    parent = _parents(last)
    answers = [""] * len(parent)
    for node, children in enumerate(last.children):
        for value, child in enumerate(children[children >= 0]):
            answers[child] = data.values[last.attribute[node]][value]
    return Diagram(
        tree_diagram.layout(parent),
        last.counts,
        last.label,
        tests=[data.attributes[a] + "?" if a >= 0 else "" for a in last.attribute],
        answers=answers,
        says=[data.classes[label] for label in last.label],
    )


def diagram(whole: Diagram, example: ndarray, steps: Sequence[Id3Step], now: int) -> Figure:
    """Draw the tree so far and the way of one example through it."""
    step, last = steps[now], steps[-1]
    known = len(step.attribute)
    state = np.full(len(last.attribute), ABSENT)
    state[:known] = np.where(last.attribute[:known] >= 0, WAITING, LEAF)
    state[:known][step.attribute >= 0] = INNER
    parent, path = _parents(last), [int(step.apply(example[None])[0])]
    while path[-1] > 0:
        path.append(int(parent[path[-1]]))
    return tree_diagram.draw(whole, state, path, step.node)


def _parents(last: Id3Step) -> ndarray:
    """Give the node above each node, -1 for the root."""
    parent = np.full(len(last.attribute), -1)
    for node, children in enumerate(last.children):
        parent[children[children >= 0]] = node
    return parent


def gains(data: Table, highest: float, steps: Sequence[Id3Step], now: int) -> Figure:
    """Draw the gain of every attribute at the node that is asked (at the start: the root).

    highest : the gain that the axis reaches to.
    """
    step = steps[now]
    found = {question.attribute: question for question in step.candidates}
    best = step.attribute[step.node] if step.node >= 0 else -1
    names = list(data.attributes)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [found[a].gain if a in found else 0.0 for a in range(len(names))],
        "y": names,
        "text": [_worth(found.get(a)) for a in range(len(names))],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": GREY, "opacity": [1 if a == best else 0.45 for a in range(len(names))]},
        "hoverinfo": "skip",
    }
    layout = curves.panel_layout(
        xaxis={"range": [0, 1.35 * highest or 1.0], "title": {"text": "gain, bits", "standoff": 2}},
        yaxis={"range": [len(names) - 0.5, -0.5]},
    )
    layout["margin"] = {"l": 104, "r": 10, "t": 4, "b": 42}
    return {"data": [bars], "layout": layout}


def caption(data: Table, day: int, steps: Sequence[Id3Step], now: int) -> str:
    """Say which question was asked and why, with the numbers in its gain."""
    step = steps[now]
    if now == 0:
        ranked = sorted(step.candidates, key=lambda q: -q.score)
        entropy = f"Entropy = {_entropy_sum(step.counts[0])} = {step.entropies[0]:.4f} bits."
        lines = [
            f"Nothing is asked yet: one leaf with {_signed(data, step.counts[0])}.",
            f"{entropy} {_score(step).capitalize()}s: {_scores(data, ranked)}.",
        ]
    else:
        question = next(q for q in step.candidates if q.attribute == step.attribute[step.node])
        name, n = data.attributes[question.attribute], int(step.counts[step.node].sum())
        before = step.entropies[step.node]
        parts = " − ".join(
            [f"{before:.4f}"]
            + [
                f"{sum(counts)}/{n} · {step.entropies[child]:.4f}"
                for counts, child in zip(question.counts, step.children[step.node], strict=False)
            ]
        )
        where = " and ".join(_conditions(data, step, step.node))
        others = [q for q in step.candidates if q is not question]
        own = f", ratio {question.score:.4f}" if _score(step) == "gain ratio" else ""
        what = f"{'Where ' + where if where else 'At the root'}, with "
        what += (
            f"{_signed(data, step.counts[step.node])}: ask for {name}, the largest {_score(step)}."
        )
        lines = [
            what,
            f"Entropy {before:.4f} bits. Gain({name}) = {parts} = {step.gain:.4f}{own}"
            + (f"; {_scores(data, others)}." if others else "."),
        ]
        lines[1] += _ENDINGS[step.event]
    return "\n".join([*lines, _followed(data, step, day)])


def rules(data: Table, step: Id3Step) -> str:
    """Write the tree as a disjunction of conjunctions for every class, a leaf a line."""
    lines = []
    for label, name in enumerate(data.classes):
        leaves = [i for i, a in enumerate(step.attribute) if a < 0 and step.label[i] == label]
        for i, leaf in enumerate(leaves):
            start = f"{name}  ⇐" if i == 0 else "∨".rjust(len(name) + 3)
            tests = " ∧ ".join(_conditions(data, step, leaf)) or "always"
            lines.append(f"{start}  ( {tests} )   {step.counts[leaf].sum()} examples")
    return "\n".join(lines)


_ENDINGS = {
    None: "",
    "pure": " Done: every leaf holds one class.",
    "no attribute left": " Done: there is nothing left to ask where classes are still mixed.",
}


def _examples_at(data: Table, steps: Sequence[Id3Step], now: int) -> ndarray:
    """Tell which examples were at the node when it was asked."""
    if now == 0:
        return np.ones(len(data.labels), bool)
    return steps[now - 1].apply(data.examples) == steps[now].node


def _words(x: ndarray, y: ndarray, texts: list[str], **style: object) -> dict:
    return {
        "type": "scatter",
        "mode": "text",
        "x": x.tolist(),
        "y": y.tolist(),
        "text": texts,
        "textfont": {"size": 14},
        "hoverinfo": "skip",
        "showlegend": False,
        **style,
    }


def _score(step: Id3Step) -> str:
    """Name what the candidates are compared by."""
    by_ratio = any(question.score != question.gain for question in step.candidates)
    return "gain ratio" if by_ratio else "gain"


def _scores(data: Table, questions: Sequence[Question]) -> str:
    return ", ".join(f"{data.attributes[q.attribute]} {q.score:.4f}" for q in questions)


def _worth(question: Question | None) -> str:
    if question is None:
        return "asked above"
    if question.score != question.gain:
        return f"{question.gain:.4f}, ratio {question.score:.4f}"
    return f"{question.gain:.4f}"


def _signed(data: Table, counts: ndarray) -> str:
    return " and ".join(
        f"{count} {name}" for count, name in zip(counts.tolist(), data.classes, strict=True)
    )


def _entropy_sum(counts: ndarray) -> str:
    n = counts.sum()
    return " ".join(f"− {c}/{n} log₂ {c}/{n}" for c in counts.tolist() if c)


def _conditions(data: Table, step: Id3Step, node: int) -> list[str]:
    """Write the answers on the way to a node."""
    texts = []
    while node > 0:
        above, value = np.argwhere(step.children == node)[0]
        attribute = step.attribute[above]
        texts.append(f"{data.attributes[attribute]} = {data.values[attribute][value]}")
        node = int(above)
    return texts[::-1]


def _followed(data: Table, step: Id3Step, day: int) -> str:
    leaf = int(step.apply(data.examples[day - 1 : day])[0])
    rule = " ∧ ".join(_conditions(data, step, leaf)) or "always"
    says, truth = data.classes[step.label[leaf]], data.classes[data.labels[day - 1]]
    return f"Day {day}: {rule} ⇒ {data.target} = {says}" + (
        "." if says == truth else f", which is wrong: it was {truth}."
    )
