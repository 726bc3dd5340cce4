"""Compares the results of an exported script with those of the page; scripts contain this code."""

import numpy as np


def same(found, expected, where):
    """Raise AssertionError unless `found` holds everything expected, numbers to within 1e-9."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            inner = found[name] if isinstance(found, dict) else getattr(found, name)
            same(inner, value, f"{where}.{name}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), f"{where} has {len(found)} parts, not {len(expected)}"
        for i, value in enumerate(expected):
            same(found[i], value, f"{where}[{i}]")
    elif isinstance(expected, tuple) and len(expected) == 2:  # a number and how far it may be
        value, allowed = expected
        allowed += 1e-12 + 1e-9 * abs(value)
        assert abs(found - value) <= allowed, f"{where} is {found}, not within {allowed} of {value}"
    elif isinstance(expected, tuple):  # stands for an array too large to be written
        shape, mean, deviation = expected
        assert np.shape(found) == shape, f"{where} has the shape {np.shape(found)}, not {shape}"
        numbers = np.nan_to_num(np.asarray(found, float), posinf=0.0, neginf=0.0)
        same(float(np.mean(numbers)), mean, f"the mean of {where}")
        same(float(np.std(numbers)), deviation, f"the standard deviation of {where}")
    elif isinstance(expected, float | np.ndarray) and np.asarray(expected).dtype.kind == "f":
        assert np.shape(found) == np.shape(expected), f"{where} has the shape {np.shape(found)}"
        size = np.abs(expected, where=np.isfinite(expected), out=np.zeros_like(expected))
        allowed = 1e-12 + 1e-9 * np.max(size, initial=0)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=allowed, err_msg=where)
    else:
        assert np.array_equal(found, expected), f"{where} is {found!r}, not {expected!r}"
