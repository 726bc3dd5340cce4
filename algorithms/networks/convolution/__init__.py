"""Convolution: one small kernel at all places of a drawing."""
