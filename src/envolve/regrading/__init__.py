"""`envolve regrade`: verdicts as they are now, the counts and fates that follow, and writing them into the run."""
