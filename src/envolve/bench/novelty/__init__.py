"""How well copies of an environment are told from others: both views of novelty against labels that they had no part in.

A **near-copy** is an environment from which a solver who has trained on the other gains nothing new: all that the
smaller of the two has (tables, tools, ways to solve) the larger has too, whatever it is called, however it is said and
in whatever order it stands; and no more than 30% is left out. Near-copies are made from one world by transformations
(`copying.py`), so the label follows from how they were made.

A pair is **distinct** if its worlds were composed from different scenarios and, told in the same neutral words, share
at most half of the tools of the one that has fewer (`telling.py`: text by text, no signature takes part). Pairs that
were composed apart and share more are neither, and are left out and counted.

The texts of copies are changed by rules (`paraphrasing.py`), not by a writer: a model would put things further from
what they were than these rules do.
"""
