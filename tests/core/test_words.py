import pytest

from viz.core import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-1.23456, "−1.23"),
        (0.0, "0"),
        (-0.0, "0"),
        (12740.4, "12740"),
        (999.7, "1000"),
        (1.234e6, "1.23×10⁶"),
        (-2e-7, "−2×10⁻⁷"),
    ],
)
def test_number(value: float, text: str) -> None:
    assert words.number(value) == text


def test_number_with_more_digits() -> None:
    assert words.number(-1.23456, 5) == "−1.2346"


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ((0.3, 0.2741), ["0.300", "0.274"]),
        ((54.385, 50.891), ["54.4", "50.9"]),
        ((2.0, -0.7707), ["2.000", "−0.771"]),
        ((1e-7, 3.0), ["10⁻⁷", "3"]),
    ],
)
def test_numbers_with_equally_many_decimals(values: tuple, texts: list[str]) -> None:
    assert words.alike(*values) == texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-1.23456, "−1.235"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        (0.00123, "0.00123"),
        (2e5, "200000"),
        (2e7, "2×10⁷"),
    ],
)
def test_decimal(value: float, text: str) -> None:
    assert words.decimal(value) == text


@pytest.mark.parametrize("value", [0.123456, -12.3456, 1234.56, 98765.4, 0.0, 2.345e-7, 2.345e7])
@pytest.mark.parametrize("digits", [3, 4, 6])
def test_as_written(value: float, digits: int) -> None:
    text = words.number(value, digits).replace("−", "-")
    text = text.replace("×10⁻⁷", "e-7").replace("×10⁷", "e7")
    assert words.as_written(value, digits) == pytest.approx(float(text), rel=1e-12)


def test_capital() -> None:
    assert words.capital("the K in k-means") == "The K in k-means"
    assert words.capital("") == ""


def test_vector() -> None:
    assert words.vector([1.0, -0.5]) == "(1.000, −0.500)"


def test_weighted_sum() -> None:
    told = words.weighted_sum([0.845, -0.3], [-0.274, 1.2], -0.5)
    assert told == "0.845 · (−0.274) − 0.300 · 1.200 − 0.500"


def test_numbered() -> None:
    assert words.numbered("u", 0) == "u₁"
    assert words.numbered("z", 11) == "z₁₂"
