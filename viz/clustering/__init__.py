"""Pictures and words for algorithms/clustering."""
