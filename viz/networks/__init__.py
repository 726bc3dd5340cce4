"""Pictures and words for algorithms/networks."""
