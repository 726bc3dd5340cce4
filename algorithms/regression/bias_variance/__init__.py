"""What a fit owes to the sample: bias, variance, bootstrap."""
