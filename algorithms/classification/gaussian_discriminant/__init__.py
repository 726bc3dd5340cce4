"""A density for each class and Bayes' rule: discriminant analysis, naive Bayes."""
