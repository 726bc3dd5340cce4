"""Pictures and words for algorithms/classification/generative."""
