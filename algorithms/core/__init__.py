"""What algorithms share, and no algorithm: records, checks, scaling, features, kernels, splits."""
