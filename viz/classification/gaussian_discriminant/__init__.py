"""The modes of discriminant analysis and naive Bayes."""
