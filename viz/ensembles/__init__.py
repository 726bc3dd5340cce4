"""Pictures and words for algorithms/ensembles."""
