"""Make a data set from a table, and a file from a data set."""

import csv
import io
import re
from collections import Counter

import numpy as np
from numpy import ndarray
from numpy.random import Generator

from algorithms.core.work import spend
from algorithms.data.presets import MAX_CLASSES, MAX_ROWS, Dataset
from pages._shared.data.column_roles import why_no_features
from pages._shared.data.decimals import LEAST_SPREAD, MAX_VALUE
from pages._shared.data.table import (
    Picks,
    ReadError,
    Stray,
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

OTHER = "other"  # the class of all values that are too rare for one of their own


def to_dataset(
    table: Table, picks: Picks, *, rng: Generator, name: str
) -> tuple[Dataset, tuple[str, ...]]:
    """Return the picked columns as axes, classes and features, and notes on what was left out.

    A row with a blank is dropped, but a column whose blanks would cost half of the rows is dropped
    instead. At most `MAX_ROWS` rows are used, drawn with `rng`.
    """
    spend()
    columns = dict(zip(table.names, table.columns, strict=True))
    x, y, label, _ = picks
    _check_choice(columns, table.texts, picks)
    rows, notes = _usable_rows(columns, [x, y] if label is None else [x, y, label])
    flaws = _flaws(table, picks)
    others = [name for name in picks.others if name not in (x, y, label, *flaws)]
    rows, sparse = _full_rows(columns, others, (x, y), rows, notes)
    flaws |= sparse
    flaws |= {
        n: "constant" for n in others if n not in flaws and np.ptp(columns[n][rows]) < LEAST_SPREAD
    }
    if left_out := [f"{quoted(column)} ({flaws[column]})" for column in columns if column in flaws]:
        notes.append(f"Columns left out: {', '.join(left_out)}.")

    labels, classes = np.zeros(len(rows), dtype=int), ("all",)
    if label is not None:
        labels, classes = _classes(label, columns[label][rows], notes)
    if len(rows) > MAX_ROWS:
        notes.append(f"{MAX_ROWS:,} of {len(rows):,} rows were drawn at random, with the seed.")
        drawn = np.sort(rng.choice(len(rows), MAX_ROWS, replace=False))
        rows, labels = rows[drawn], labels[drawn]
    kept = {x, y, *others} - set(flaws)
    features = [column for column in columns if column in kept]
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


def rows_used(table: Table, dataset: Dataset) -> str:
    """Return how many rows of the file are used and left out, in all."""
    total, used = table.total, len(dataset.table)
    if used == total:
        return f"All {total:,} rows are used."
    return f"{used:,} of {counted_rows(total)} are used; {total - used:,} are left out."


def to_csv(dataset: Dataset) -> str:
    """Write the columns and, if there are classes, a last column of class names.

    Reading the file gives the same numbers and classes. Text that a spreadsheet would run as a
    formula gets an apostrophe, which `read_table` removes.
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


def _check_choice(columns: dict[str, ndarray], texts: dict[str, Stray], picks: Picks) -> None:
    """Raise ReadError for columns that cannot be x, y and class."""
    x, y, label, _ = picks
    for name in (x, y, label):
        if name is not None and name not in columns:
            raise ReadError(f"There is no column {quoted(name)}. Choose another one.")
    if x == y:
        raise ReadError(f"Column {quoted(x)} is chosen for both x and y. Choose two columns.")
    if label in (x, y):
        axis = "x" if label == x else "y"
        raise ReadError(
            f"Column {quoted(label)} is chosen for both {axis} and the class. Choose two columns."
        )
    for name in (x, y):
        if name in texts:
            raise ReadError(text_where_numbers_belong(name, texts[name]))
        values = columns[name]
        if np.isnan(values).all():
            raise ReadError(f"Column {quoted(name)} has no values. Choose another column.")
        if not np.isfinite(values).any():
            raise ReadError(
                f"Column {quoted(name)} has only infinite values. Choose another column."
            )
        finite = values[np.isfinite(values)]
        largest = finite[np.abs(finite).argmax()]
        if abs(largest) > MAX_VALUE:
            raise ReadError(
                f"Column {quoted(name)} holds {largest:g}; values beyond {MAX_VALUE:g} are "
                "refused. Choose a larger unit."
            )


def _usable_rows(columns: dict[str, ndarray], chosen: list[str]) -> tuple[ndarray, list[str]]:
    """Return the rows with a finite value in every chosen column, and notes on the dropped rows."""
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
        raise ReadError(f"No row has a value in each of {listed}. Choose other columns.")
    if len(rows) == 1:
        raise ReadError("There is only one point. Add a second row.")
    for name in chosen[:2]:
        values = columns[name][rows]
        if np.ptp(values) == 0:
            raise ReadError(
                f"Column {quoted(name)} is constant, every value is {plain_number(values[0])}. "
                "Choose another column."
            )
        if np.ptp(values) < LEAST_SPREAD:
            raise ReadError(
                f"The values of column {quoted(name)} differ by {np.ptp(values):.1g} only; less "
                f"than {LEAST_SPREAD:g} is refused. Choose a smaller unit."
            )
    return rows, notes


def _flaws(table: Table, picks: Picks) -> dict[str, str]:
    """Return, for each column that cannot be a feature, the reason."""
    reasons = why_no_features(table)
    flaws = {}
    for name, values in zip(table.names, table.columns, strict=True):
        if name in picks[:3]:
            continue
        if values.dtype == object:
            flaws[name] = reasons.get(name, "text")
        elif name not in picks.others:
            flaws[name] = reasons.get(name, "not picked")
        elif (np.abs(values[np.isfinite(values)]) > MAX_VALUE).any():
            flaws[name] = f"values beyond {MAX_VALUE:g}"
    return flaws


def _full_rows(
    columns: dict[str, ndarray],
    others: list[str],
    axes: tuple[str, str],
    rows: ndarray,
    notes: list[str],
) -> tuple[ndarray, dict[str, str]]:
    """Return the rows without gaps in `others`, and the columns left out because of their gaps.

    Columns with the most gaps are dropped until at least half of the rows remain and differ on both
    axes.
    """
    gaps = {name: ~np.isfinite(columns[name][rows]) for name in others}
    places = np.column_stack([columns[name][rows] for name in axes])
    sparse = {}
    while True:
        full = ~np.any([*gaps.values(), np.zeros(len(rows), bool)], axis=0)
        enough = full.sum() >= max(2, len(rows) / 2)
        if enough and (np.ptp(places[full], axis=0) > 0).all():
            break
        worst = max(gaps, key=lambda name: gaps[name].sum())
        sparse[worst] = f"{gaps.pop(worst).sum():,} of {len(rows):,} values missing"
    if count := np.sum(~full):
        names = [quoted(name) for name, missing in gaps.items() if missing.any()]
        listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "")
        notes.append(f"{counted_rows(count)} left out: no number in {listed}.")
    return rows[full], sparse


def _classes(name: str, values: ndarray, notes: list[str]) -> tuple[ndarray, tuple[str, ...]]:
    """Return a label for each value, and the classes in natural order; rare values share one."""
    counts = Counter(values.tolist())
    classes = list(counts)
    if len(counts) > MAX_CLASSES:
        if len(counts) == len(values):
            raise ReadError(
                f"Column {quoted(name)} has a different value in each of {len(values):,} rows, "
                "so its values cannot be classes. Choose another column or none."
            )
        classes = [value for value, _ in counts.most_common(MAX_CLASSES - 1)]
        rare = len(values) - sum(counts[value] for value in classes)
        notes.append(
            f"{quoted(name)} has {len(counts):,} different values: the {len(classes)} most "
            f"frequent are classes, the others ({counted_rows(rare)}) are the class {OTHER!r}."
        )
    classes.sort(key=_natural if values.dtype == object else None)
    if len(classes) == 1:
        notes.append(f"All rows are of one class, {quoted(_class_name(classes[0]))}.")
    index = {value: k for k, value in enumerate(classes)}
    names = [_class_name(value) for value in classes]
    if len(counts) > len(classes):
        names.append(OTHER)
    labels = np.array([index.get(value, len(classes)) for value in values.tolist()])
    return labels, tuple(unique_names(names))


def _class_name(value: str | float) -> str:
    return one_line(value) if isinstance(value, str) else plain_number(value)


def _is_finite(column: ndarray) -> ndarray:
    return column != "" if column.dtype == object else np.isfinite(column)


def _natural(text: str) -> tuple[list[str | int], str]:
    """Return a sort key that puts class 2 before class 10."""
    parts = re.split("([0-9]+)", one_line(text).casefold())
    return [int(part) if k % 2 else part for k, part in enumerate(parts)], text
