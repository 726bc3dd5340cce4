"""Many trees that decide together: AdaBoost, random forests, gradient boosting."""
