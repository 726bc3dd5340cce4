"""How numbers are written: with a decimal point or comma, and with marks between thousands."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

SIGNS = (".", ",")
_BLANKS = "\u00a0\u2009\u202f"  # no-break, thin, narrow no-break
_SAMPLE = 1000  # rows


def _pattern(sign: str, mark: str) -> re.Pattern[str]:
    """Match a number with this decimal sign whose thousands may be parted by one of the marks.

    Possessive (++, *+), because a number of 16,000 digits must not be tried in many ways.
    """
    grouped = rf"[1-9][0-9]{{0,2}}(?P<mark>[{mark}'’ {_BLANKS}])[0-9]{{3}}((?P=mark)[0-9]{{3}})*+"
    return re.compile(
        rf"[+-]?(({grouped}|[0-9]++)([{sign}][0-9]*+)?|[{sign}][0-9]++)([eE][+-]?[0-9]++)?"
    )


_NUMBER = {".": _pattern(".", ","), ",": _pattern(",", ".")}
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_AMOUNT = re.compile(
    rf"[$€£<>~]? ?[+-]?[.,]?[0-9][0-9.,'’ {_BLANKS}]*+([%‰$€£°]|°[CF]|(?<= )[%‰$€£°\w]{{1,3}})?"
)


class Sign(NamedTuple):
    """The decimal sign of a table, and whether another one could be meant."""

    sign: str
    in_doubt: bool


def number(cell: str, sign: str) -> float | None:
    """Give the value of a cell, or None if it is no number.

    Stricter than `float`, which takes "1_000" and Arabic digits.
    """
    if found := _NUMBER[sign].fullmatch(cell):
        return float(cell.replace(found["mark"] or "", "").replace(",", "."))
    return float(cell) if _INFINITE.fullmatch(cell) else None


def is_number(cell: str, delimiter: str) -> bool:
    """Tell whether a cell between such delimiters reads as a number.

    Between commas there is no decimal comma.
    """
    return any(_NUMBER[sign].fullmatch(cell) for sign in SIGNS if sign != delimiter)


def is_amount(cell: str) -> bool:
    """Tell whether a cell is meant as a number, such as 5%, $3 or 12 kg."""
    return _AMOUNT.fullmatch(cell) is not None


def decimal_sign(rows: Iterable[Sequence[str]], delimiter: str) -> Sign:
    """Find the sign that the numbers of the first rows use.

    1,5 and 1.234,5 can be read with a comma only, 1.5 and 1,234.5 with a point only. 1,234 can be
    both: it is a thousand if its column also has numbers below a thousand, without a mark; or if
    none says anything, and the columns are parted as English spreadsheets part them.
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
    """Give a number whose reading has to be said: with a decimal comma or marks, and its value."""
    for row in islice(rows, _SAMPLE):
        for cell in row:
            found = _NUMBER[sign].fullmatch(cell)
            if found and (found["mark"] or "," in cell):
                value = number(cell, sign)
                assert value is not None
                return cell, value
    return None
