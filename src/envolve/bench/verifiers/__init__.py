"""How good verdicts are: precision and recall against labels that the audit has not used."""
