"""Pictures and words for algorithms/ensembles/gradient_boosting."""
