"""Shared by all tests: the helpers' assertions are explained too."""

import pytest

pytest.register_assert_rewrite("tests.check_steps")
