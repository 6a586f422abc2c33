"""Use cases: one function each. A service owns its transactions, reports Progress, and gives back frozen values."""
