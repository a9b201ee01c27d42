"""Opinions of rollouts beside their verdicts: what `envolve solve --judge` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from envolve.agents.judges import (
    Agreement,
    BetweenJudges,
    Disagreement,
    Judge,
    Judgement,
    NoJudgement,
    agreement,
    between_judges,
    case_of,
    disagreements,
)
from envolve.agents.llm import is_model_name
from envolve.agents.llm.errors import Unusable
from envolve.environments.models import Rollout, Task
from envolve.environments.package import Environment
from envolve.eval.usage import Usage, metered

from .teams import Spent, spent_by


class Ruled(NamedTuple):
    """A rollout and what a judge said of it: a judgement, or why there is none."""

    rollout: Rollout
    judgement: Judgement | None
    problem: str = ""

    @property
    def line(self) -> str:
        if self.judgement is None:
            return f"no ruling: {self.problem}"
        step = "" if self.judgement.step is None else f" (step {self.judgement.step})"
        return f"{self.judgement.ruling.replace('_', ' ')}{step}: {self.judgement.reason}"

    def as_json(self) -> dict[str, Any]:
        said = self.judgement.model_dump(mode="json") if self.judgement else {"ruling": None, "reason": self.problem}
        return {"rollout": self.rollout.index, **said}


class Bench:
    """A judge at work: rules on rollouts once they have ended, and knows what it said and what that cost."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._usage = Usage()
        self.rulings: list[Ruled] = []

    @property
    def name(self) -> str:
        return self._judge.name

    @property
    def spent(self) -> Spent:
        return spent_by([self.name] if is_model_name(self.name) else [], self._usage)

    async def rule(self, environment: Environment, task: Task, rollout: Rollout) -> Ruled:
        """Neither verdict, verifier nor gold is shown. A rollout that the machine or a provider ended is not asked
        about. Errors: those of `Chat.ask`, and whatever a judge of the user's own raises."""
        ruled = await self._ruled(environment, task, rollout)
        self.rulings.append(ruled)
        return ruled

    async def _ruled(self, environment: Environment, task: Task, rollout: Rollout) -> Ruled:
        if rollout.verdict.reward is None:
            return Ruled(rollout, None, "it did not come to an end of its own")
        with metered() as usage:
            try:
                return Ruled(rollout, await self._judge.judge(case_of(environment, task, rollout.trace)))
            except (NoJudgement, Unusable) as error:
                return Ruled(rollout, None, error.message)
            finally:
                self._usage.tokens += usage.tokens
                self._usage.cost_usd += usage.cost_usd

    @property
    def agreed(self) -> Agreement:
        """How far judge and verifier agree over the rollouts that have a ruling."""
        pairs = ((ruled.judgement, ruled.rollout.verdict) for ruled in self.rulings)
        return agreement((judgement, verdict) for judgement, verdict in pairs if judgement is not None)

    @property
    def differing(self) -> dict[str, Disagreement]:
        """The tasks on whose rollouts judge and verifier differ."""
        found = disagreements((ruled.rollout, ruled.judgement) for ruled in self.rulings)
        return {task: where for task, where in found.items() if where.rollouts}

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rulings": [ruled.as_json() for ruled in self.rulings],
            "agreement": self.agreed.model_dump(mode="json"),
            "disagreements": [where.model_dump(mode="json") for where in self.differing.values()],
            **self.spent._asdict(),
        }


def between(benches: Sequence[Bench], *, verifier: bool = False) -> BetweenJudges:
    """How far judges, and the verifier if asked for, agree on the rollouts that all of them ruled on."""
    rollouts = [ruled.rollout for ruled in benches[0].rulings] if benches else []
    rows = list(zip(*(bench.rulings for bench in benches), strict=True))
    counting = [place for place, rollout in enumerate(rollouts) if rollout.verdict.reward is not None]
    judgements = [[ruled.judgement for ruled in rows[place]] for place in counting]
    passes = [rollouts[place].verdict.passed for place in counting]
    return between_judges(judgements, passes if verifier else None)


def judged_json(benches: Sequence[Bench]) -> dict[str, Any]:
    """`judge` is the first of `judges`, as where there is only one."""
    judges = [bench.as_json() for bench in benches]
    if not judges:
        return {}
    found = {"judge": judges[0], "judges": judges}
    if len(judges) > 1:
        found["between_judges"] = between(benches).model_dump(mode="json")
        found["with_verifier"] = between(benches, verifier=True).model_dump(mode="json")
    return found
