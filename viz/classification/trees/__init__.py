"""Pictures and words for algorithms/classification/trees."""
