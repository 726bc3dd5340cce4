"""The harness of the lessons' claims finds what is wrong."""

import pytest

from tests.house.claims import check_numbers, numbers_in, rounds_to

ANSWER = (
    "It ends at 156, 6 % above, after 1,216 tries. With k = 3 it is −2.90×10⁻⁵ for [all](?n=7)."
)
FOUND = [155.6, 5.5, 1216, -2.897e-5]


def test_numbers_are_read_and_those_in_links_are_not() -> None:
    assert numbers_in(ANSWER) == ["156", "6", "1,216", "3", "−2.90×10⁻⁵"]


def test_an_answer_that_is_so() -> None:
    check_numbers(FOUND, ANSWER, stated="k = 3")
    check_numbers([*FOUND[:3], 3, FOUND[3]], ANSWER)
    check_numbers([0.251, *FOUND], ANSWER, question="After 9 steps it is 0.25.", stated="3")
    check_numbers([19.6, range(20)], "20 on the samples 0 to 19.")


@pytest.mark.parametrize(
    "found",
    [
        [155.4, 5.5, 1216, -2.897e-5],
        [155.6, 6.6, 1216, -2.897e-5],
        [155.6, 5.5, 1217, -2.897e-5],
        [155.6, 5.5, 1216, -2.894e-5],
        [155.6, 5.5, 1216, 2.897e-5],
        [5.5, 155.6, 1216, -2.897e-5],
        FOUND[:3],
        [*FOUND, 7],
    ],
)
def test_an_answer_that_is_not_so(found: list[float]) -> None:
    with pytest.raises(AssertionError, match="the answer"):
        check_numbers(found, ANSWER, stated="k = 3")


def test_a_number_of_the_question_that_is_not_so() -> None:
    with pytest.raises(AssertionError, match="the answer"):
        check_numbers([0.26, 4], "It is 4.", question="After 9 steps it is 0.25.")


def test_a_number_that_nobody_found_nor_stated() -> None:
    with pytest.raises(AssertionError, match="the answer says 3, the run gives"):
        check_numbers(FOUND, ANSWER, stated="k = 4")


@pytest.mark.parametrize(
    ("number", "text", "so"),
    [
        (0.125, "0.12", True),
        (0.125, "0.13", True),
        (0.126, "0.12", False),
        (0.0, "−0.0", True),
        (1e-5, "10⁻⁵", True),
        (1.1e-5, "10⁻⁵", False),
        (float("nan"), "0", False),
    ],
)
def test_rounding(number: float, text: str, so: bool) -> None:
    assert rounds_to(number, text) is so
