"""Pictures and words for algorithms/regression."""
