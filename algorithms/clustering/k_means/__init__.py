"""k-means, its first centres, many runs at once, and the choice of k."""
