"""Pictures and words for algorithms/ensembles/ada_boost."""
