"""The mode of singular values."""
