"""All rules as one judge, named `rules`."""

from __future__ import annotations

from collections.abc import Callable

from ..base import Case, Judgement
from .answers import answer_made_up, answered_unseen, no_answer
from .failures import every_call_failed, last_write_failed
from .limits import limit_hit
from .nothing import nothing_changed, nothing_created
from .refusals import changed_and_refused, refused_unseen
from .rows import another_reference, another_row, done_twice

Rule = Callable[[Case], Judgement | None]

RULES: tuple[Rule, ...] = (
    limit_hit,
    every_call_failed,
    refused_unseen,
    changed_and_refused,
    nothing_changed,
    nothing_created,
    no_answer,
    answered_unseen,
    answer_made_up,
    last_write_failed,
    another_row,
    another_reference,
    done_twice,
)


class RulesJudge:
    """`Judge` by rules: costs nothing, and says the same of the same rollout."""

    name = "rules"

    async def judge(self, case: Case) -> Judgement:
        return self.judgement(case)

    def judgement(self, case: Case) -> Judgement:
        found = (rule(case) for rule in RULES)
        return next(
            (judged for judged in found if judged is not None),
            Judgement(ruling="cannot_tell", reason="No rule applies."),
        )
