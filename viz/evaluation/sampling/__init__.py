"""How the lab on sampling, tests and power shows its runs."""
