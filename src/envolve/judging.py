"""A model's opinion of rollouts beside their verdicts: what `envolve solve --judge` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from envolve.agents.judges import Agreement, Judge, Judgement, agreement, case_of
from envolve.agents.llm import chat_with, is_model_name
from envolve.agents.llm.errors import Unusable
from envolve.environments.errors import InputError
from envolve.environments.models import Rollout, Task
from envolve.environments.package import Environment
from envolve.eval.usage import Usage, metered

from .teams import Spent, spent_by


class Ruled(NamedTuple):
    """A rollout and what the judge said of it: a judgement, or why there is none."""

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
    """A judge at work: rules on rollouts once they have ended, and knows what that cost."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._usage = Usage()

    @property
    def name(self) -> str:
        return self._judge.name

    @property
    def spent(self) -> Spent:
        return spent_by([self.name], self._usage)

    async def rule(self, environment: Environment, task: Task, rollout: Rollout) -> Ruled:
        """Neither verdict, verifier nor gold is shown. A rollout that the machine or a provider ended is not asked
        about. Errors: those of `Chat.ask`."""
        if rollout.verdict.reward is None:
            return Ruled(rollout, None, "it did not come to an end of its own")
        with metered() as usage:
            try:
                return Ruled(rollout, await self._judge.judge(case_of(environment, task, rollout.trace)))
            except Unusable as error:
                return Ruled(rollout, None, error.message)
            finally:
                self._usage.tokens += usage.tokens
                self._usage.cost_usd += usage.cost_usd


def judge_named(name: str) -> Judge:
    """Errors: InputError for what is no model."""
    if not is_model_name(name):
        raise InputError(
            f"There is no judge {name!r}.", remedy="Name a model, such as openai:gpt-5 or openai:MODEL@URL."
        )
    from envolve.agents.prompted.judge import PromptedJudge

    return PromptedJudge(chat_with(name))


def agreed(rulings: Sequence[Ruled]) -> Agreement:
    """How far judge and verifier agree over the rollouts that have a ruling."""
    return agreement((ruled.judgement, ruled.rollout.verdict) for ruled in rulings if ruled.judgement is not None)


def judged_json(bench: Bench, rulings: Sequence[Ruled]) -> dict[str, Any]:
    return {
        "name": bench.name,
        "rulings": [ruled.as_json() for ruled in rulings],
        "agreement": agreed(rulings).model_dump(mode="json"),
        **bench.spent._asdict(),
    }
