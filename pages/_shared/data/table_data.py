"""From a table to a data set, and from a data set to a file."""

import csv
import io
import re

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.data.presets import MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data.table import (
    ReadError,
    Table,
    counted_rows,
    guarded,
    is_missing,
    one_line,
    plain_number,
    quoted,
    text_where_numbers_belong,
    unique_names,
)

MAX_VALUE = 1e12


def to_dataset(
    table: Table, x: str, y: str, label: str | None, *, rng: Generator, name: str
) -> tuple[Dataset, tuple[str, ...]]:
    """Put columns `x` and `y` on the axes and the values of `label` into classes.

    Other columns of numbers are kept if they are complete. Returns the data and, in sentences,
    what was left out; at most `MAX_ROWS` rows are used, drawn with `rng`.
    """
    columns = dict(zip(table.names, table.columns, strict=True))
    chosen = [x, y] if label is None else [x, y, label]
    _check_choice(columns, table.texts, chosen)
    rows, notes = _usable_rows(columns, chosen)

    labels, classes = np.zeros(len(rows), dtype=int), ("all",)
    if label is not None:
        labels, classes = _classes(label, columns[label][rows])
        if len(classes) == 1:
            notes.append(f"All rows are of one class, {quoted(classes[0])}.")

    flaws = {n: _flaw(v[rows]) for n, v in columns.items() if n in (x, y) or n != label}
    features = [column for column, flaw in flaws.items() if not flaw]
    if left_out := [f"{quoted(column)} ({flaw})" for column, flaw in flaws.items() if flaw]:
        notes.append(f"Columns left out: {', '.join(left_out)}.")
    if len(rows) > MAX_ROWS:
        notes.append(f"{MAX_ROWS:,} of {len(rows):,} rows were drawn at random, with the seed.")
        drawn = np.sort(rng.choice(len(rows), MAX_ROWS, replace=False))
        rows, labels = rows[drawn], labels[drawn]
    dataset = Dataset(
        name=one_line(name),
        table=np.column_stack([columns[column][rows] for column in features]),
        columns=tuple(features),
        labels=labels,
        classes=classes,
        x=features.index(x),
        y=features.index(y),
    )
    return dataset, tuple(notes)


def to_csv(dataset: Dataset) -> str:
    """Write the table and, where there are classes, a last column of class names.

    Reading it back gives the same numbers and classes. Text that a spreadsheet would run as a
    formula gets a leading apostrophe, which `read_table` takes off again.
    """
    names = list(dataset.columns)
    rows = [[plain_number(value) for value in row] for row in dataset.table.tolist()]
    if len(dataset.classes) > 1:
        names = unique_names([*names, "class"])
        for row, label in zip(rows, dataset.labels.tolist(), strict=True):
            row.append(guarded(dataset.classes[label]))
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[guarded(name) for name in names], *rows])
    return out.getvalue()


def _check_choice(columns: dict[str, ndarray], texts: dict[str, str], chosen: list[str]) -> None:
    """Refuse columns that cannot be x and y, the first two of `chosen`."""
    for name in chosen:
        if name not in columns:
            raise ReadError(f"There is no column {quoted(name)}; choose another one.")
    x, y = chosen[:2]
    if x == y:
        raise ReadError(f"Column {quoted(x)} is chosen for both x and y; choose two columns.")
    for name in (x, y):
        if name in texts:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        values = columns[name]
        if np.isnan(values).all():
            raise ReadError(f"Column {quoted(name)} has no values; choose another column.")
        if not np.isfinite(values).any():
            raise ReadError(f"Column {quoted(name)} has only infinite values; choose another one.")
        finite = values[np.isfinite(values)]
        largest = finite[np.abs(finite).argmax()]
        if abs(largest) > MAX_VALUE:
            raise ReadError(
                f"Column {quoted(name)} holds {largest:g}; values beyond {MAX_VALUE:g} are "
                "refused, so choose a larger unit."
            )


def _usable_rows(columns: dict[str, ndarray], chosen: list[str]) -> tuple[ndarray, list[str]]:
    """The rows that have a finite value in every chosen column, and notes on the others."""
    missing = np.any([is_missing(columns[name]) for name in chosen], axis=0)
    finite = np.all([_is_finite(columns[name]) for name in chosen], axis=0)
    listed = ", ".join(map(quoted, chosen))
    notes = [
        f"{counted_rows(count)} left out: {what} in one of {listed}."
        for count, what in (
            (np.sum(missing), "no value"),
            (np.sum(~missing & ~finite), "an infinite value"),
        )
        if count
    ]
    rows = np.flatnonzero(~missing & finite)
    if len(rows) == 0:
        raise ReadError(f"No row has a value in each of {listed}; choose other columns.")
    if len(rows) == 1:
        raise ReadError("There is only one point; at least two are needed.")
    for name in chosen[:2]:
        values = columns[name][rows]
        if np.ptp(values) == 0:
            raise ReadError(
                f"Column {quoted(name)} is constant, every value is {plain_number(values[0])}; "
                "choose another column."
            )
    return rows, notes


def _classes(name: str, values: ndarray) -> tuple[ndarray, tuple[str, ...]]:
    """Number the distinct values in their natural order."""
    distinct = sorted(set(values.tolist()), key=_natural if values.dtype == object else None)
    if len(distinct) > MAX_CLASSES:
        raise ReadError(
            f"{quoted(name)} has {len(distinct):,} different values; at most {MAX_CLASSES} classes "
            "can be told apart; choose another column or none."
        )
    index = {value: k for k, value in enumerate(distinct)}
    names = [one_line(v) if isinstance(v, str) else plain_number(v) for v in distinct]
    return np.array([index[value] for value in values.tolist()]), tuple(unique_names(names))


def _flaw(values: ndarray) -> str:
    """Why a column is no feature, or nothing."""
    if values.dtype == object:
        return "text"
    if count := np.sum(~np.isfinite(values)):
        return f"{count:,} missing or infinite"
    if np.abs(values).max() > MAX_VALUE:
        return f"values beyond {MAX_VALUE:g}"
    return "constant" if np.ptp(values) == 0 else ""


def _is_finite(column: ndarray) -> ndarray:
    return column != "" if column.dtype == object else np.isfinite(column)


def _natural(text: str) -> tuple[list[str | int], str]:
    """Sort key that puts class 2 before class 10."""
    parts = re.split("([0-9]+)", one_line(text).casefold())
    return [int(part) if k % 2 else part for k, part in enumerate(parts)], text
