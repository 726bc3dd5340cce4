"""Support vector machines: two duals at a time, all at once, several classes."""
