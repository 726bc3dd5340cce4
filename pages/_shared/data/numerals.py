"""Recognise numbers as people write them: with a decimal point or comma, and grouped thousands."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from pages._shared.session.values import MINUS, plain_minus

SIGNS = (".", ",")
_BLANKS = "\u00a0\u2009\u202f"  # no-break, thin, narrow no-break
_SIGN = rf"[+\-{MINUS}]?"  # before a number
_SAMPLE = 1000  # rows


def _pattern(sign: str, mark: str) -> re.Pattern[str]:
    """Return a pattern of numbers with this decimal sign; one of `mark` may group thousands.

    Possessive quantifiers (++, *+) keep the match linear: a cell may have 16,000 digits.
    """
    grouped = rf"[1-9][0-9]{{0,2}}(?P<mark>[{mark}'’ {_BLANKS}])[0-9]{{3}}((?P=mark)[0-9]{{3}})*+"
    if sign == ".":
        grouped += "|[1-9][0-9]?,([0-9]{2},)++[0-9]{3}"  # Indian grouping: 12,34,567
    return re.compile(
        rf"{_SIGN}(({grouped}|[0-9]++)([{sign}][0-9]*+)?|[{sign}][0-9]++)([eE]{_SIGN}[0-9]++)?"
    )


_NUMBER = {".": _pattern(".", ","), ",": _pattern(",", ".")}
_INFINITE = re.compile(rf"{_SIGN}inf(inity)?", re.IGNORECASE)
_DIGITS = rf"[.,]?[0-9][0-9.,'’ {_BLANKS}]*+"
_AMOUNT = re.compile(
    rf"[$€£<>~]? ?{_SIGN}{_DIGITS}([%‰$€£°]|°[CF]|(?<= )[%‰$€£°\w]{{1,3}})?"
)  # 5%, $3, 12 kg
# accountants write negative numbers like this
_NEGATIVE = re.compile(rf"\({_DIGITS}\)|{_DIGITS}[\-{MINUS}]")
_FRACTION = re.compile(rf"{_SIGN}[0-9]{{1,3}}/[0-9]{{1,3}}")


class Sign(NamedTuple):
    """The decimal sign of a table, and whether it is in doubt."""

    sign: str
    in_doubt: bool


def number(cell: str, sign: str) -> float | None:
    """Return the value of a cell, or None if it is not a number.

    Stricter than `float`, which takes "1_000" and Arabic digits.
    """
    if found := _NUMBER[sign].fullmatch(cell):
        cell = cell.replace(found["mark"] or _other(sign), "").replace(",", ".")
        return float(plain_minus(cell))
    return float(plain_minus(cell)) if _INFINITE.fullmatch(cell) else None


def is_number(cell: str, delimiter: str) -> bool:
    """Return whether a cell is a number. Where commas delimit cells, there is no decimal comma."""
    return any(_NUMBER[sign].fullmatch(cell) for sign in SIGNS if sign != delimiter)


def is_amount(cell: str) -> bool:
    """Return whether a cell is meant as a number, such as 5%, $3, 12 kg, (5), 5- or 1/2."""
    return any(form.fullmatch(cell) for form in (_AMOUNT, _NEGATIVE, _FRACTION))


def how_to_write(cell: str) -> str:
    """Return a sentence on how to write a cell that is meant as a number but cannot be read."""
    if _NEGATIVE.fullmatch(cell):
        return "Write negative numbers with a minus sign in front, like -5."
    if _FRACTION.fullmatch(cell):
        return "Write fractions as decimals, like 0.5."
    return "Write numbers like 1234.5, or choose another column."


def decimal_sign(rows: Iterable[Sequence[str]], delimiter: str) -> Sign:
    """Find the decimal sign of the numbers in the first rows.

    1,5 and 1.234,5 have a decimal comma, 1.5 and 1,234.5 a decimal point. 1,234 could have either.
    Its comma groups thousands if its column also has ungrouped numbers below a thousand. It also
    does if nothing in the table decides, and tabs or commas separate the columns, as in English
    spreadsheets.
    """
    certain, beside_small, alone = Counter(), Counter(), Counter()
    for column in zip(*islice(rows, _SAMPLE), strict=True):
        small = any(cell.isdecimal() and len(cell) <= 3 for cell in column)
        small &= not any(cell.isdecimal() and len(cell) > 3 for cell in column)
        for cell in column:
            if "." not in cell and "," not in cell:
                continue
            values = {sign: number(cell, sign) for sign in SIGNS}
            if values["."] is not None and values[","] is not None:
                used = "," if "," in cell else "."
                as_thousands = small or (used == "," and delimiter in "\t,")
                votes = beside_small if small else alone
                votes[_other(used) if as_thousands else used] += 1
            else:
                certain.update(sign for sign in SIGNS if values[sign] is not None)
    for votes in (certain, beside_small, alone):
        if votes["."] != votes[","]:
            sign = max(SIGNS, key=lambda sign: votes[sign])
            return Sign(sign, in_doubt=votes is not certain or votes[_other(sign)] > 0)
    return Sign(".", in_doubt=bool(certain or beside_small or alone))


def _other(sign: str) -> str:
    return "," if sign == "." else "."


def example(rows: Iterable[Sequence[str]], sign: str) -> tuple[str, float] | None:
    """Return a number with a decimal comma or grouped thousands, and its value, or None."""
    for row in islice(rows, _SAMPLE):
        for cell in row:
            found = _NUMBER[sign].fullmatch(cell)
            if found and (found["mark"] or "," in cell):
                value = number(cell, sign)
                assert value is not None
                return cell, value
    return None
