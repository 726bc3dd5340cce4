"""Pictures and captions of similarity measures, recomputed from the data."""

import re

import numpy as np
import pytest
from numpy import ndarray

from algorithms.clustering.similarity_measures.similarity_measures import (
    CHEBYSHEV,
    COSINE,
    EUCLIDEAN,
    MAHALANOBIS,
    MANHATTAN,
    Event,
    Measure,
    fitted,
    nearest_by_measure,
    ranks_by_measures,
)
from tests.core.figures import line, unpacked
from tests.core.samples import board, points_of
from tests.core.told import numbers, value
from tests.house.check_steps import event_names
from viz.clustering.similarity_measures.rule import OTHERS, name_of
from viz.clustering.similarity_measures.similarity_measures import Neighbours, letters
from viz.core.scene import Run
from viz.core.theme import color

X = points_of("stretched", 50, noise=0.25)
QUERY, UNITS, K = np.array([0.8, 0.9]), np.array([1.0, 2.0]), 8
STAR = Measure("minkowski", 0.5)
EVERY = (STAR, MANHATTAN, EUCLIDEAN, Measure("minkowski", 3.0), CHEBYSHEV, COSINE, MAHALANOBIS)
EACH = pytest.mark.parametrize("measure", EVERY, ids=name_of)


def made(X: ndarray, measure: Measure, k: int = K, **how) -> tuple[list, Neighbours]:
    how = {"query": QUERY, "units": UNITS, "center": np.zeros(2)} | how
    steps = list(nearest_by_measure(X, k=k, measure=measure, **how))
    rows = tuple(dict.fromkeys((measure, *OTHERS.values())))
    query = how.pop("query")
    how.pop("against", None)
    ranks = ranks_by_measures(X, query, rows, **how)
    return steps, Neighbours(Run("", steps), board(X), ranks)


@EACH
def test_the_outline_of_the_ball_is_as_far_as_the_newest_neighbour(measure: Measure) -> None:
    steps, mode = made(X, measure)
    for now in (0, K - 1):
        step = steps[now]
        outline = line(mode.picture(now)["data"][0]).astype(float)
        ours = fitted(X, measure, units=UNITS)
        if measure == COSINE:
            outline = outline[[0, 2]]  # without the tip, which has no direction
        far = ours.between(QUERY[None], outline)[0]
        np.testing.assert_allclose(far, step.radius, rtol=1e-3)
        if measure != COSINE:
            inside = ours.between(QUERY[None], 0.99 * outline + 0.01 * QUERY)[0]
            assert (inside < step.radius).all() and len(outline) >= 5


def test_a_cone_without_a_direction_is_not_drawn() -> None:
    _, mode = made(X, COSINE, query=np.zeros(2))
    assert np.isnan(line(mode.picture(0)["data"][0])).all()
    assert "1 − 0 = 1." in mode.caption(0)


def test_the_picture_shows_both_sets_of_neighbours_and_the_way_round() -> None:
    steps, mode = made(X, STAR)
    far = np.hypot(*((X - QUERY) * UNITS).T)
    near = np.argsort(far, kind="stable")[:K]
    ways = 0
    for now, step in enumerate(steps):
        figure = mode.picture(now)
        met = unpacked(figure["points"]["group"]) == 1
        assert np.flatnonzero(met).tolist() == sorted(step.order[: now + 1].tolist())
        missed = set(near[: now + 1].tolist()) - set(step.order[: now + 1].tolist())
        assert set(np.flatnonzero(unpacked(figure["points"]["group"]) == 2).tolist()) == missed
        assert np.flatnonzero(unpacked(figure["marks"]["kind"])).tolist() == [step.newest]
        assert unpacked(figure["points"]["size"]).argmax() == step.newest
        ends = unpacked(figure["edges"]["places"]).reshape(-1, 4)
        np.testing.assert_allclose(ends[:, 2:], X[[step.newest]], rtol=1e-5)
        way = line(figure["data"][1])
        if step.shorter:
            np.testing.assert_allclose(way, [QUERY, X[step.via], X[step.newest]], rtol=1e-5)
        ways += step.shorter
        assert step.shorter == np.isfinite(way).all()
    assert ways


def test_the_rows_show_who_is_near_by_which_measure() -> None:
    steps, mode = made(X, STAR)
    rows = (STAR, *OTHERS.values())
    for now in (0, 4, K - 1):
        (cells,) = mode.who_is_near(now)["data"]
        large = np.array(cells["marker"]["size"]) > 3
        assert not large.all()
        squares = line(cells)[large]
        layout = mode.who_is_near(now)["layout"]
        met = [
            set(np.argsort(fitted(X, each, units=UNITS).between(QUERY[None], X)[0])[: now + 1])
            for each in rows
        ]
        counts = [f"{len(each & met[0])}/{now + 1}" for each in met]
        _, heading, *beside = (note["text"] for note in layout["annotations"])
        assert heading == "shared with p = 0.5" and beside == counts
        names = layout["yaxis"]["ticktext"]
        inks = [re.findall(r"<b style=\"color: (\S+)\">", name) for name in names]
        assert inks[:2] == [[color(1)], [color(0)]] and not any(inks[2:])
        y = squares[:, 1]
        assert [np.count_nonzero(y == -row) for row in range(len(rows))] == [now + 1] * len(rows)
        assert sorted(squares[y == -1, 0]) == list(range(1, now + 2))  # A is first by a ruler
    assert len(steps) == K


def test_a_point_has_the_same_letter_in_the_picture_and_in_the_rows() -> None:
    steps, mode = made(X, STAR)
    for now in (0, K - 1):
        lettered = next(t for t in mode.picture(now)["data"] if "letter of" in t.get("name", ""))
        figure = mode.who_is_near(now)
        (cells,) = figure["data"]
        columns = line(cells)[np.array(cells["marker"]["size"]) > 3, 0]
        written = [text for text in lettered["text"] if text]
        assert written == [letters(int(column) - 1) for column in sorted(set(columns.tolist()))]
        axis = figure["layout"]["xaxis"]
        assert axis["ticktext"] == [letters(tick - 1) for tick in axis["tickvals"]]
        near = np.abs(line(lettered) - X[mode.columns])
        assert (near < 0.05 * np.ptp(mode.box[:2])).all()
        assert set(steps[now].order[: now + 1].tolist()) <= set(mode.columns.tolist())


def test_a_point_keeps_its_letter_under_another_measure() -> None:
    far = np.hypot(*((X - QUERY) * UNITS).T)
    for measure in OTHERS.values():
        columns = made(X, measure)[1].columns
        assert columns.tolist() == made(X, EUCLIDEAN)[1].columns.tolist()
        assert (np.diff(far[columns]) >= 0).all()
    assert [letters(column) for column in (0, 25, 26, 51, 52, 701, 702)] == [
        "A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"
    ]  # fmt: skip


@EACH
def test_the_rule_gives_the_distance_with_its_numbers(measure: Measure) -> None:
    steps, mode = made(X, measure)
    step = steps[4]
    first, rule, *_ = mode.caption(4).split("\n")
    assert first.startswith(f"Neighbour 5 of {K} is ") and f"({name_of(measure)})" in first
    rank = int(np.argsort(np.argsort(np.hypot(*((X - QUERY) * UNITS).T)))[step.newest]) + 1
    where = ", outside the blue line" if rank > 5 else ""
    nth = ["", "2nd ", "3rd ", *(f"{i}th " for i in range(4, 21))][rank - 1]
    told = f"Euclidean distance it is the {nth}nearest{where}." in first
    assert told == (measure != EUCLIDEAN)
    *_, formula, distance = re.split(r"\. (?:This|Angles|The blue|The \d+ measures)", rule)[
        0
    ].split(" = ")
    text = formula.replace("−", "-").replace("²", "**2").replace("·", "*").replace("^", "**")
    told = eval(re.sub(r"√(\(.*\))", r"(\1)**0.5", text), {"max": max})
    assert float(distance.rstrip(".")) == pytest.approx(step.radius, rel=5e-3)
    assert told == pytest.approx(step.radius, rel=0.03, abs=0.002)
    around = "The blue line is around the 5 nearest by Euclidean distance."
    long = measure == COSINE and step.shorter  # the detour has its place
    assert (around in rule) == (measure != EUCLIDEAN and not long)
    assert ("y times 2" in rule) == (measure != MAHALANOBIS)


def test_the_caption_adds_up_a_detour_that_is_shorter() -> None:
    lengths = []
    for measure in EVERY:
        steps, mode = made(X, measure)
        for now, step in enumerate(steps):
            picked, *way = mode.caption(now).split("\n")[2:]
            assert numbers(picked) == pytest.approx(
                [*QUERY, now + 1, *X[step.newest]], abs=6e-4, rel=2e-3
            )
            assert len(way) == step.shorter
            if step.shorter:
                sums = re.search(r" is (\S+) \+ (\S+) = (\S+) long", way[0])
                assert sums
                one, two, whole = map(value, sums.groups())
                assert one + two == pytest.approx(whole, rel=0.01)
                assert whole == pytest.approx(step.detour, 5e-3)
                lengths.append(whole)
    assert lengths


@pytest.mark.parametrize("event", event_names(Event))
def test_every_event_occurs_and_is_told(event: str) -> None:
    steps, mode = made(X, STAR)
    (now,) = (now for now, step in enumerate(steps) if step.event == event)
    told = numbers(mode.caption(now).split("\n")[0])
    if event == "k-th neighbour":
        assert told[:3] == [K, steps[-1].shared, K]
    else:
        rank = steps[now].other_ranks[steps[now].newest] + 1
        assert told[:2] == [now + 1, K]
        assert re.findall(r"it is the (\d+)(?:st|nd|rd|th) nearest", mode.caption(now)) == [
            str(rank)
        ]
    assert ("not a metric" in mode.caption(now)) == steps[now].shorter


def test_the_first_caption_counts_the_points_that_a_measure_finds_nearest() -> None:
    _, mode = made(X, STAR)
    rows = (STAR, *OTHERS.values())
    nearest = {fitted(X, each, units=UNITS).between(QUERY[None], X)[0].argmin() for each in rows}
    told = re.findall(r"The (\d+) measures name (\d+) different nearest", mode.caption(0))
    assert told == [(str(len(rows)), str(len(nearest)))] and len(nearest) > 1
    assert "different nearest" not in mode.caption(1)


def test_alone_and_among_many() -> None:
    _, mode = made(X[:1], MANHATTAN, 1)
    assert len(mode.caption(0).split("\n")) == 3
    same = made(X, EUCLIDEAN)[1].caption(K - 1)
    assert numbers(same.split("\n")[0])[:2] != [K, K]
