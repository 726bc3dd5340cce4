"""Groups in points that nobody has labelled."""
