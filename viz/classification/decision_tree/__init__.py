"""Pictures and words for algorithms/classification/decision_tree."""
