"""Pictures and words for algorithms/regression/linear_paths."""
