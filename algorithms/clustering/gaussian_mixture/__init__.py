"""Soft groups: Gaussian and multinomial mixtures by EM, soft k-means."""
