"""Pictures and words for algorithms/evaluation."""
