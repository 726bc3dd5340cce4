"""A lesson's statements about its experiments, as a table: title -> function of the numbers.

A claim is given a `Trial` of its experiment. It returns the numbers that the run gives, in the
order in which the answer names them; what is no number, it asserts. The answer's numbers have to be
these, rounded as the answer rounds them; the words around them are free. A number that the answer
only repeats from the link, from the question or from what is to be done need not be returned. One
that the question claims may be: it comes before those of the answer.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from algorithms.data.presets import Dataset
from pages._shared.lab.catalogue import LABS, LabFile
from tests.app.session import Session
from tests.core.told import NUMBER, RAISED, value
from tests.house.every_lab import marks
from tests.house.experiments import experiment_of, steps_of


@dataclass(frozen=True)
class Trial:
    """An experiment whose link a visitor has followed."""

    session: Session
    lab: LabFile
    title: str

    def steps(self, **changes: str) -> Any:
        """Follow the link, with changes, and return the steps of the run that is shown."""
        return steps_of(self.session, self.lab, self.title, **changes)

    @property
    def data(self) -> Dataset:
        """Return the data on the board."""
        return self.session.board.data


Numbers = Iterable[float | range]
Claim = Callable[[Trial], Numbers]


def claims_test(lab: str, claims: dict[str, Claim]) -> Callable[[str, Session], None]:
    """Return a test of every experiment of a lab; one that has no claim fails."""
    (file,) = (each for each in LABS if each.name == lab)
    titles = [experiment.title for experiment in file.experiments]
    assert set(claims) <= set(titles), f"no experiments: {sorted(set(claims) - set(titles))}"

    @pytest.mark.parametrize("title", [pytest.param(each, marks=marks(file)) for each in titles])
    def test(title: str, session: Session) -> None:
        assert title in claims, f"{title}: the experiment has no claim"
        found = claims[title](Trial(session, file, title))
        experiment = experiment_of(file, title)
        link = " ".join(experiment.link.values())
        stated = f"{link} {experiment.question} {experiment.todo}"
        check_numbers(found, experiment.answer, question=experiment.question, stated=stated)

    return test


def check_numbers(found: Numbers, answer: str, *, question: str = "", stated: str = "") -> None:
    """Check that the numbers of an answer are those that were found, in this order.

    A range stands for its first and its last number. stated : what the answer may repeat.
    """
    wanted = [float(number) for each in found for number in _ends(each)]
    known = {value(text) for text in numbers_in(stated)}
    left = list(wanted)
    for text in numbers_in(question):
        if left and rounds_to(left[0], text):
            del left[0]
    for text in numbers_in(answer):
        if left and rounds_to(left[0], text):
            del left[0]
        else:
            assert value(text) in known, (
                f"the answer says {text}, the run gives {left[:1] or 'nothing more'}: {answer}"
            )
    assert not left, f"of {wanted} the answer does not say {left[0]}: {answer}"


def numbers_in(text: str) -> list[str]:
    """Return the numbers of a text as they are written, without those in the targets of links."""
    return re.findall(NUMBER, re.sub(r"\]\([^)]*\)", "]", text))


def rounds_to(number: float, text: str) -> bool:
    """Return whether a number is written as `text`, up to half a unit of its last digit."""
    mantissa, _, power = text.partition("×10")
    if mantissa[-1] in RAISED:  # a power of ten alone is meant as it is
        return bool(np.isclose(number, value(text), rtol=1e-9, atol=0))
    unit = 10.0 ** -len(mantissa.partition(".")[2]) * (value(f"10{power}") if power else 1.0)
    return abs(number - value(text)) <= 0.5 * unit * (1 + 1e-9)


def _ends(each: float | range) -> Sequence[float]:
    return (each[0], each[-1]) if isinstance(each, range) else (each,)
