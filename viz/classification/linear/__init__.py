"""Pictures and words for algorithms/classification/linear."""
