"""Factor analysis: columns explained by a few hidden factors, and a noise of each column's own."""
