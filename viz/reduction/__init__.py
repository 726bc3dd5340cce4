"""Pictures and words for algorithms/reduction."""
