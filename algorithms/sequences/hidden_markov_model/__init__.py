"""Hidden Markov models: what the states were, the best path, and learning the tables."""
