from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from algorithms.classification.decision_tree.id3 import Id3Step, id3
from algorithms.classification.decision_tree.play_tennis import PLAY_TENNIS, Table, table
from algorithms.core.record import last
from tests.house.check_steps import check_steps
from tests.house.checked import Checked

ARGUMENTS = {"data": PLAY_TENNIS}
OUTLOOK, TEMPERATURE, HUMIDITY, WIND = range(4)


def cut_off(value: float) -> float:
    """Return three digits as the notes print them: truncated, not rounded."""
    return int(value * 1000) / 1000


def entropy(labels: np.ndarray) -> float:
    p = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(p * np.log2(p)).sum())


WORKED = Checked(
    "decision_tree",
    "The worked gains of the course notes for Quinlan's 14 days, cut after three digits",
    7,
    "numbers",
)


def test_the_gains_of_the_notes() -> None:
    steps = check_steps(id3(PLAY_TENNIS))
    start, first, sunny, rain = steps
    assert start.counts.tolist() == [[5, 9]]
    assert PLAY_TENNIS.classes == ("No", "Yes")
    assert cut_off(start.entropies[0]) == 0.940
    root = {q.attribute: cut_off(q.gain) for q in first.candidates}
    assert root == {OUTLOOK: 0.246, HUMIDITY: 0.151, WIND: 0.048, TEMPERATURE: 0.029}
    branch = {q.attribute: cut_off(q.gain) for q in sunny.candidates}
    assert branch == {HUMIDITY: 0.970, TEMPERATURE: 0.570, WIND: 0.019}
    assert len(root) + len(branch) == WORKED.cases
    wind = next(q for q in first.candidates if q.attribute == WIND)
    assert wind.counts == ((2, 6), (3, 3))  # No and Yes of Weak, of Strong
    assert PLAY_TENNIS.attributes[first.attribute[0]] == "Outlook"
    assert PLAY_TENNIS.attributes[rain.attribute[rain.node]] == "Wind"
    assert [step.event for step in steps] == [None, None, None, "pure"]
    assert (rain.predict(PLAY_TENNIS.examples) == PLAY_TENNIS.labels).all()
    words = [dict(zip(values, range(3), strict=False)) for values in PLAY_TENNIS.values]
    query = [words[0]["Sunny"], words[1]["Hot"], words[2]["High"], words[3]["Strong"]]
    assert PLAY_TENNIS.classes[rain.predict(np.array([query]))[0]] == "No"


@settings(max_examples=100, deadline=None)
@given(
    n=st.integers(2, 25),
    a=st.integers(1, 4),
    seed=st.integers(0, 999),
    ratio=st.booleans(),
)
@example(n=2, a=3, seed=362, ratio=False)  # equal in all attributes: all three are asked about
def test_what_holds_for_every_table(n: int, a: int, seed: int, ratio: bool) -> None:
    random = np.random.default_rng(seed)
    examples, labels = random.integers(4, size=(n, a)), random.integers(3, size=n)
    labels[:2] = 0, 1
    names = tuple("abcd" for _ in range(a))
    data = Table(
        tuple("ABCD"[:a]), tuple(map(tuple, names)), "T", ("x", "y", "z"), examples, labels
    )
    steps = check_steps(id3(data, criterion="gain ratio" if ratio else "gain"))
    for before, after in pairwise(steps):
        here = before.apply(examples) == after.node
        for question in after.candidates:
            column = examples[here, question.attribute]
            rest = sum(
                (column == v).mean() * entropy(labels[here][column == v]) for v in np.unique(column)
            )
            assert question.gain == pytest.approx(entropy(labels[here]) - rest, abs=1e-12)
            if ratio and len(np.unique(column)) > 1:
                assert question.score == pytest.approx(question.gain / entropy(column))
        best = max(question.score for question in after.candidates)
        chosen = next(q for q in after.candidates if q.attribute == after.attribute[after.node])
        assert chosen.score >= best - 1e-12
        assert chosen.gain == after.gain >= 0
    end = steps[-1]
    assert end.counts[end.attribute < 0].sum() == n
    for labelled, counts in zip(end.label, end.counts, strict=True):
        assert counts.sum() == 0 or counts[labelled] == counts.max()
    consistent = all(
        len(set(labels[(examples == row).all(axis=1)])) == 1 for row in np.unique(examples, axis=0)
    )
    assert end.event == ("pure" if consistent else "no attribute left")
    if consistent:
        assert (end.predict(examples) == labels).all()


def test_an_answer_nobody_gave_takes_the_commonest_class_above() -> None:
    data = table("A B T\n u p no\n u q yes\n u q yes\n v p no\n w q no")
    end = last(id3(data))
    assert isinstance(end, Id3Step)
    empty = [i for i, counts in enumerate(end.counts) if not counts.any()]
    for node in empty:
        parent = next(i for i, row in enumerate(end.children) if node in row)
        assert end.label[node] == end.counts[parent].argmax()
    assert end.predict(np.array([[0, 9], [9, 0]])).shape == (2,), (
        "unknown values end where they are"
    )


def test_tables_are_read_in_order_and_refused_when_ragged() -> None:
    assert PLAY_TENNIS.values[OUTLOOK] == ("Sunny", "Overcast", "Rain")
    assert PLAY_TENNIS.target == "PlayTennis"
    assert len(PLAY_TENNIS.labels) == 14
    with pytest.raises(ValueError, match="example 2 must have 2 words"):
        table("A T\n u no\n v")
    with pytest.raises(ValueError, match="needs a line of names"):
        table("A T")


def test_one_class_is_refused_at_the_call() -> None:
    with pytest.raises(ValueError, match="y must name at least two classes"):
        id3(table("A T\n u no\n v no"))


@settings(max_examples=60, deadline=None)
@given(
    costs=st.tuples(*[st.integers(1, 20).map(float)] * 4),
    w=st.floats(0, 1),
    criterion=st.sampled_from(["Tan-Schlimmer", "Nunez"]),
)
def test_costs_count_in_every_choice(costs: tuple[float, ...], w: float, criterion: str) -> None:
    examples, labels = PLAY_TENNIS.examples, PLAY_TENNIS.labels
    steps = check_steps(id3(PLAY_TENNIS, criterion=criterion, costs=costs, w=w))
    for before, after in pairwise(steps):
        here = before.apply(examples) == after.node
        worth = {}
        for A in {*range(4)} - before.asked(after.node):
            column = examples[here, A]
            gained = entropy(labels[here]) - sum(
                (column == v).mean() * entropy(labels[here][column == v]) for v in np.unique(column)
            )
            worth[A] = (
                gained * gained / costs[A]
                if criterion == "Tan-Schlimmer"
                else (2**gained - 1) / (costs[A] + 1) ** w
            )
        assert {q.attribute: q.score for q in after.candidates} == pytest.approx(worth, abs=1e-12)
        assert worth[after.attribute[after.node]] >= max(worth.values()) - 1e-11
    for row, spent in zip(examples, steps[-1].spent(examples, costs), strict=True):
        node, total = 0, 0
        while steps[-1].attribute[node] >= 0:
            A = steps[-1].attribute[node]
            total += costs[A]
            node = steps[-1].children[node, row[A]]
        assert spent == total


def test_equal_costs_and_w_0_give_the_tree_by_the_gain() -> None:
    plain = last(id3(PLAY_TENNIS)).attribute.tolist()
    for how in (
        {"criterion": "Tan-Schlimmer", "costs": (7.0, 7.0, 7.0, 7.0)},
        {"criterion": "Nunez", "costs": (9.0, 1.0, 2.0, 3.0), "w": 0.0},
    ):
        assert last(id3(PLAY_TENNIS, **how)).attribute.tolist() == plain


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"criterion": "luck"}, "criterion must be"),
        (
            {"criterion": "Nunez", "costs": (1.0, 1.0)},
            "costs must hold one for each of the 4 attributes",
        ),
        (
            {"criterion": "Nunez", "costs": (1.0, 1.0, 1.0, 0.0)},
            "costs must be finite and above 0, got 0",
        ),
        ({"criterion": "Nunez", "costs": (1.0, 1.0, 1.0, 1.0), "w": 2.0}, "w must be at most 1"),
        ({"criterion": "Nunez", "costs": (1.0, 1.0, 1.0, 1.0), "w": -1.0}, "w must be"),
    ],
)
def test_bad_criteria_and_costs_are_refused_at_the_call(how: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        id3(PLAY_TENNIS, **how)
