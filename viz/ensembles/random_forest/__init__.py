"""Pictures and words for algorithms/ensembles/random_forest."""
