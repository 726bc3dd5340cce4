"""The mode of spectral clustering."""
