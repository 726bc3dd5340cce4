"""Pictures and words for algorithms/regression/bias_variance."""
