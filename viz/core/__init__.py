"""Code that all pictures share: the plane, curves, panels, frames, words, the theme."""
