"""Unrolling: maps that keep distances along a bent sheet."""
