"""Pictures and words for algorithms/regression/least_squares."""
