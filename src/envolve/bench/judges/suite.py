"""Judges asked about labelled cases, twice each, and what follows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from envolve.agents.judges import (
    Accuracy,
    BetweenJudges,
    Judge,
    Judgement,
    NoJudgement,
    Repeated,
    accuracy,
    between_judges,
    repeated,
)
from envolve.agents.llm import is_model_name
from envolve.agents.llm.errors import Unusable
from envolve.eval.usage import Usage, metered
from envolve.teams import Spent, spent_by

from .base import LabelledCase

Rulings = list[Judgement | None]
Tell = Callable[[str], None]


class JudgeFigures(NamedTuple):
    """What one judge is worth. `accuracy` is that of the first round; `kinds`: for each kind of case, how many there
    are and how many were ruled met, not_met, cannot_tell, none. `failure`: why the first case without a ruling has
    none; "" if all have one."""

    name: str
    accuracy: Accuracy
    repeated: Repeated
    kinds: dict[str, Counter[str]]
    spent: Spent
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            **self.accuracy.model_dump(mode="json"),
            "repeated": self.repeated.model_dump(mode="json"),
            "kinds": {kind: dict(counts) for kind, counts in self.kinds.items()},
            **self.spent._asdict(),
            "failure": self.failure,
        }


class JudgesFigures(NamedTuple):
    """`between` is None for a single judge."""

    judges: list[JudgeFigures]
    between: BetweenJudges | None


async def judges_figures(judges: Sequence[Judge], cases: Sequence[LabelledCase], tell: Tell) -> JudgesFigures:
    """Each judge asked about each case twice; `tell` hears what is done next. Errors: those of `Chat.ask`, and what a
    judge of the user's own raises."""
    rounds = list[tuple[Rulings, Rulings]]()
    found = list[JudgeFigures]()
    for judge in judges:
        tell(f"{judge.name} rules on {len(cases)} cases, twice")
        with metered() as usage:
            said, again = await _asked(judge, cases), await _asked(judge, cases)
        first = _rulings(said)
        rounds.append((first, _rulings(again)))
        failure = next((one for one in said if isinstance(one, str)), "")
        found.append(_figures(judge.name, cases, first, _rulings(again), usage)._replace(failure=failure))
    rows = list(zip(*(first for first, _ in rounds), strict=True))
    return JudgesFigures(found, between_judges(rows) if len(judges) > 1 else None)


async def _asked(judge: Judge, cases: Sequence[LabelledCase]) -> list[Judgement | str]:
    """Rulings, or why there is none, in the order of the cases; a model is asked about several at once, as many as its
    settings allow."""
    return list(await asyncio.gather(*(_ruling(judge, case) for case in cases)))


async def _ruling(judge: Judge, case: LabelledCase) -> Judgement | str:
    try:
        return await judge.judge(case.case)
    except (NoJudgement, Unusable) as error:
        return error.message


def _rulings(said: Sequence[Judgement | str]) -> Rulings:
    return [one if isinstance(one, Judgement) else None for one in said]


def _figures(name: str, cases: Sequence[LabelledCase], first: Rulings, again: Rulings, usage: Usage) -> JudgeFigures:
    kinds: dict[str, Counter[str]] = {}
    for case, judged in zip(cases, first, strict=True):
        counts = kinds.setdefault(f"{case.label}: {case.kind}", Counter())
        counts["n"] += 1
        counts[judged.ruling if judged else "none"] += 1
    return JudgeFigures(
        name=name,
        accuracy=accuracy((case.label, judged) for case, judged in zip(cases, first, strict=True)),
        repeated=repeated(zip(first, again, strict=True)),
        kinds=kinds,
        spent=spent_by([name] if is_model_name(name) else [], usage),
    )
