"""Guess the roles of a table's columns from their names and values."""

import re

import numpy as np
from numpy import ndarray

from algorithms.core.work import spend
from algorithms.data.presets import MAX_CLASSES
from pages._shared.data.table import Picks, Table, is_missing

_OF_IDS = {"id", "ids", "nr", "no", "number", "nummer", "index", "row", "rownames", "key", "#"}
_OF_CLASSES = {"class", "label", "target", "species", "kind", "type", "group", "category", "klasse"}
_DATE = re.compile(
    r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}([ T].*)?|[0-9]{1,2}:[0-9]{2}.*"
    r"|[0-9]{1,2}\.? ?-?[^\W\d_]{3,9}\.?[ -][0-9]{2,4}"
)
_MANY = 5  # average rows per class that are required where there are more classes than colours


def suggest(table: Table) -> Picks:
    """Return the columns to start with. Ids, row numbers and dates are x or y only if need be."""
    label = _class(table)
    numeric = [name for name in table.numeric if name != label]
    apart = why_no_features(table)
    # the sort keeps the order of the others
    x, y, *_ = sorted(numeric, key=lambda name: name in apart)
    others = tuple(name for name in numeric if name not in (x, y) and name not in apart)
    x, y = sorted((x, y), key=numeric.index)
    return Picks(x, y, label, others)


def why_no_features(table: Table) -> dict[str, str]:
    """Return a reason for each column of ids, row numbers or dates: it is no feature by default."""
    reasons = {}
    for j, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        spend()
        if column.dtype == object:
            if _are_dates(column):
                reasons[name] = "dates"
        elif _are_ids(name, column):
            reasons[name] = "an id"
        elif j == 0 and name.lower() not in ("x", "t") and _number_the_rows(column):
            reasons[name] = "it numbers the rows"
    return reasons


def _class(table: Table) -> str | None:
    """Return the likeliest class column, preferring text, then few values, then the last column."""
    apart = why_no_features(table)
    features = {*table.numeric} - apart.keys()
    candidates = [
        (rank, j, name)
        for j, (name, column) in enumerate(zip(table.names, table.columns, strict=True))
        if name not in apart
        and name not in table.unread
        and (name in table.texts or len(features - {name}) >= 2)
        and (rank := _rank(name, column))
    ]
    return max(candidates)[2] if candidates else None


def _rank(name: str, column: ndarray) -> int:
    """Return how likely a column is to hold classes; 0 if it cannot."""
    spend()
    values = column[~is_missing(column)]
    distinct = set(values.tolist())
    if not 2 <= len(distinct) < len(values) or _are_ids(name, column):
        return 0
    few, text = len(distinct) <= MAX_CLASSES, column.dtype == object
    named = bool(_OF_CLASSES & set(_words(name)))
    if text:
        return (3 + named) if few else int(len(distinct) * _MANY <= len(values))
    whole = all(float(value).is_integer() for value in distinct)
    return 2 * (whole and few and (named or len(distinct) == 2))


def _are_ids(name: str, column: ndarray) -> bool:
    """Return whether the name says id or number, and the values do not contradict it."""
    word = _words(name)[-1:]
    if not _OF_IDS & set(word):
        return False
    values = column[~is_missing(column)]
    if column.dtype != object and not (values == np.floor(values)).all():
        return False
    return word == ["id"] or len(set(values.tolist())) == len(values)


def _number_the_rows(column: ndarray) -> bool:
    """Return whether the numbers are whole and consecutive, or are many and in order."""
    values = column[np.isfinite(column)]
    steps = np.diff(values)
    in_order = (steps == 1).all() or (len(values) > 10 and (steps > 0).all())
    return len(values) > 2 and bool(in_order and (values == np.floor(values)).all())


def _are_dates(column: ndarray) -> bool:
    """Return whether most of the texts are dates or times."""
    values = column[column != ""].tolist()
    dates = {value: bool(_DATE.fullmatch(value)) for value in set(values)}
    return 2 * sum(dates[value] for value in values) > len(values)


def _words(name: str) -> list[str]:
    """Return the words of a name such as "Student ID", "student_id" or "studentId"."""
    return [word.lower() for word in re.findall(r"[A-ZÄÖÜ]?[a-zäöü]+|[A-ZÄÖÜ]+|#", name)]
