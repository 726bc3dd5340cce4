"""Code that all algorithms share: records, checks, scaling, features, kernels, splits."""
