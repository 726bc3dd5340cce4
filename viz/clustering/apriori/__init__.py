"""The modes of the lab on frequent itemsets and association rules."""
