"""Budgets hold, and are used: a call waits for those in flight rather than end a run that can afford it."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.llm.errors import BudgetReached
from envolve.graph.config import RunConfig
from envolve.graph.spending import Spending
from envolve.memory.store.queries.progress import Totals

NOTHING = Totals(rollouts=0, tokens=0, cost_usd=0.0, seconds=0.0, work_seconds=0.0)
CALLS = st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), min_size=1, max_size=12)


async def call(spending: Spending, worst: int, share: float, paid: list[int]) -> None:
    flying = await spending.reserve(tokens=worst, cost_usd=0.0)
    await asyncio.sleep(0)
    tokens = round(worst * share)
    paid.append(tokens)
    flying.settle(tokens=tokens, cost_usd=0.0)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(CALLS, st.integers(1, 200))
def test_calls_at_once_never_pass_the_budget_and_none_is_refused_that_fits(
    calls: list[tuple[int, float]], budget: int
) -> None:
    paid: list[int] = []

    async def work() -> list[object]:
        spending = Spending(RunConfig(budget_tokens=budget), NOTHING)
        return await asyncio.gather(
            *(call(spending, worst, share, paid) for worst, share in calls), return_exceptions=True
        )

    ended = asyncio.run(asyncio.wait_for(work(), timeout=20))
    refused = [worst for (worst, _), end in zip(calls, ended, strict=True) if isinstance(end, BudgetReached)]
    assert sum(paid) <= budget
    assert len(paid) + len(refused) == len(calls)
    assert all(sum(paid) + worst > budget for worst in refused)


@pytest.mark.parametrize(
    ("options", "option"), [({"budget_usd": 1.0}, "--budget-usd"), ({"budget_tokens": 9}, "--budget-tokens")]
)
def test_what_was_spent_before_counts(options: dict[str, float], option: str) -> None:
    spent = NOTHING.model_copy(update={"tokens": 8, "cost_usd": 0.95})
    with pytest.raises(BudgetReached, match=option):
        asyncio.run(Spending(RunConfig.model_validate(options), spent).reserve(tokens=2, cost_usd=0.1))
