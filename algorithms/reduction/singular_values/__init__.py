"""Singular values: a table as a sum of terms, each a column times a row."""
