"""When rollouts speak against a task: exact tests, and ways unlike gold's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact

from envolve.eval.intervals import binomial_tail
from envolve.eval.traces import Way
from envolve.eval.triggers import (
    LEVEL,
    Evidence,
    SolverCount,
    environment_errors,
    fisher,
    inversion,
    judge,
    level_of,
    triggers,
)

counts = st.sampled_from([*range(40), 1_100, 9_000]).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def way(*, passed: int, same_end: bool, path: tuple[str, ...] = ('["move_booking",{}]',)) -> Way:
    return Way(path, (), ("slip:1",), passed, max(passed, 1), same_end)


@settings(deadline=None)
@given(counts, counts)
def test_the_tests_are_those_of_the_books(one: tuple[int, int], other: tuple[int, int]) -> None:
    (passes, n), (other_passes, other_n) = one, other
    table = np.array([[passes, n - passes], [other_passes, other_n - other_passes]])
    assert fisher(*one, *other) == pytest.approx(fisher_exact(table, alternative="less").pvalue, rel=1e-6, abs=1e-12)
    if n:
        assert binomial_tail(passes, n, 0.02) == pytest.approx(
            binomtest(passes, n, 0.02, "greater").pvalue, rel=1e-6, abs=1e-12
        )


@given(st.integers(1, 400))
def test_all_looks_together_keep_the_level(looks: int) -> None:
    assert sum(level_of(look) for look in range(1, looks + 1)) < LEVEL
    assert 3 * level_of(looks, 3) == pytest.approx(level_of(looks))


@pytest.mark.parametrize(
    ("errors", "rollouts", "look", "told"),
    [(1, 2, 1, False), (2, 60, 1, False), (2, 10, 1, True), (2, 10, 2, False), (3, 10, 2, True), (0, 0, 1, False)],
)
def test_a_world_that_fails_too_often_to_be_chance(errors: int, rollouts: int, look: int, told: bool) -> None:
    found = environment_errors(errors, rollouts, look=look)
    assert (found is not None) is told
    if found:
        assert f"{errors} of {rollouts}" in found.reason


def test_an_inversion_is_told_with_both_solvers_and_their_figures() -> None:
    strong, weak = SolverCount("strong", 2, 24, 90, 100), SolverCount("weak", 16, 24, 30, 100)
    found = inversion((weak, strong))
    assert found is not None
    assert "strong passed 2 of 24, the weaker weak 16 of 24" in found.reason
    assert inversion((strong._replace(passes=14), weak)) is None, "may be chance"
    assert inversion((strong._replace(other_passes=34), weak)) is None, "may not be stronger"
    assert inversion((strong._replace(other_n=0, other_passes=0), weak)) is None, "nothing is known of it elsewhere"


def test_an_inversion_has_to_be_clearer_the_more_pairs_and_looks_there_are() -> None:
    strong, weak = SolverCount("strong", 9, 24, 90, 100), SolverCount("weak", 17, 24, 30, 100)
    others = tuple(SolverCount(f"also {number}", 12, 24, 60, 100) for number in range(3))
    assert inversion((strong, weak)) is not None
    assert inversion((strong, weak, *others)) is None
    assert inversion((strong, weak), look=4) is None


def test_a_judge_may_err_now_and_then() -> None:
    assert judge(0, 30) is None
    assert judge(3, 30) is None
    found = judge(9, 30)
    assert found is not None
    assert "9 of 30" in found.reason


def test_ways_unlike_golds_are_alternatives_and_other_ends_are_disputes() -> None:
    kinds = {trigger.kind for trigger in triggers(Evidence(ways=(way(passed=2, same_end=True),)))}
    assert kinds == {"other_path"}
    (elsewhere,) = triggers(Evidence(ways=(way(passed=3, same_end=False),)))
    assert elsewhere.kind == "other_end"
    assert "3 rollouts of slip:1 passed with an end state that is not gold's" in elsewhere.reason
    (rejected,) = triggers(Evidence(ways=(way(passed=0, same_end=True),)))
    assert "ended as gold does, by another way, and failed" in rejected.reason


def test_a_quiet_task_is_left_alone() -> None:
    even = tuple(SolverCount(f"slip:{n}", 6 * n, 24, 20 * n, 80) for n in range(4))
    assert triggers(Evidence(look=3, rollouts=90, errors=0, solvers=even, judged=20, disagreed=1)) == ()
