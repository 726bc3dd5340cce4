"""Active learning: the learner chooses which labels it asks for."""
