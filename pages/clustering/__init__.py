"""Clustering: groups in points that nobody has labelled."""

from pages._shared.lab.sections import Section

FIRST = (  # The wall comes after the labs of its methods.
    "k_means", "similarity_measures", "k_medoids", "gaussian_mixture", "hierarchical_clustering",
    "dbscan", "spectral_clustering", "apriori",
)  # fmt: skip
ALONE = ("similarity_measures", "densities")
SECTION = Section("Clustering", 3, first=FIRST, labelled=False, gives="groups", alone=ALONE)
