"""Shared by all tests: helpers' assertions are explained too, and the arithmetic is the app's."""

import pytest
import scipy.linalg  # noqa: F401  # brings its own BLAS, which is to be limited as well
from threadpoolctl import threadpool_limits

pytest.register_assert_rewrite("tests.check_steps")
threadpool_limits(1)  # more threads than one only hinder each other, here as in the app
