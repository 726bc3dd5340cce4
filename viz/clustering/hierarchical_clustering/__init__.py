"""The mode of hierarchical clustering."""
