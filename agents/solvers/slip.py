"""A simulated solver of known ability: it follows gold through real calls and makes mistakes that people make.

At each step it errs with probability logistic(difficulty of the step - ability): takes a wrong sibling at a pick,
skips a look-up and guesses, forgets a write, gets an argument wrong, stops early, hands in a wrong answer. Where a rule
forbids what is asked it may do it all the same, by the steps that the plan of the refusal tells, say that it is done
although it was turned away, or name another rule; and where rules stand to choose from it may refuse what none forbids.
What comes of it the world and the verifier decide. A call that failed because of its own mistake it may notice and put
right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from pydantic import TypeAdapter

from ...environments.canonical import seed_from
from ...environments.episode import Episode
from ...environments.errors import InputError
from ...environments.gold.references import PickedRow, Unresolved, resolve
from ...environments.gold.scratch import PickFailed
from ...environments.models import CallResult, CallStep, PickStep, Submission, SubmitStep
from ...environments.models.tasks import GoldStep
from ...eval.base import SolverProfile
from .difficulty import (
    ANSWER,
    INSIST,
    OVERLOOK,
    RULE,
    SCALE,
    SCRUPLE,
    STOP,
    PickSight,
    call_difficulty,
    logistic,
    lookalikes,
    pick_difficulty,
    rules,
    strain,
)
from .found import Found
from .mistakes import wrong_answer, wrong_argument, wrong_row, wrong_rule

RECOVERY = -1.0
"""Difficulty of noticing that a failed call was a mistake of one's own."""


_STEPS: TypeAdapter[tuple[GoldStep, ...]] = TypeAdapter(tuple[GoldStep, ...])


class SlipSolver:
    """`ability` is in logits: at 0 a step of difficulty 0 goes wrong half of the time."""

    def __init__(self, ability: float) -> None:
        self.ability = ability
        self._profile = SolverProfile(
            name=f"slip:{ability:g}", kind="simulated", settings={"ability": ability, "scale": SCALE}
        )

    @property
    def profile(self) -> SolverProfile:
        return self._profile

    async def solve(self, episode: Episode) -> None:
        if episode.task is None or not episode.task.gold:
            raise InputError(
                "slip follows the gold solution, and there is none",
                remedy="Name a task that has one, or another solver.",
            )
        attempt = _Attempt(episode, self.ability)
        try:
            attempt.run()
        finally:
            attempt.close()


class _Attempt:
    """One walk along gold. `_strayed`: some of what was found so far may be wrong; `_decided`: it goes ahead, whatever
    the rules say; `_turned_away`: the world refused the last call."""

    def __init__(self, episode: Episode, ability: float) -> None:
        assert episode.task is not None
        self._episode = episode
        self._task = episode.task
        self._ability = ability
        # Not seeded by ability: with the same seed, a better solver errs where the worse one does, or not at all.
        self._rng = Random(seed_from("slip", episode.seed))
        self._found = Found(episode.environment.spec.clock, episode.actor.id, self._rng)
        self._fields = {tool["name"]: tool["inputSchema"].get("properties", {}) for tool in episode.canonical_tools}
        self._strain = strain(sum(isinstance(step, CallStep) for step in self._task.gold))
        self._indirect: Mapping[str, int] = self._task.plan.get("picks", {})
        self._options = self._task.verifier.submit.options
        self._strayed = False
        self._turned_away = False
        self._decided = not self._options

    def close(self) -> None:
        self._found.close()

    def run(self) -> None:
        *steps, last = self._task.gold
        if self._walks(steps) and isinstance(last, SubmitStep):
            if last.submit.status == "refused":
                self._forbidden(last.submit)
            else:
                self._submit(last.submit)

    def _walks(self, steps: Sequence[GoldStep]) -> bool:
        """Whether it comes to the end of the steps; if not it has handed something in."""
        for number, step in enumerate(steps):
            if number and self._errs(STOP + self._strain):
                self._stop_early()
                return False
            if isinstance(step, PickStep):
                self._pick(step)
            elif isinstance(step, CallStep):
                if self._has_scruples(step):
                    self._refuse(None)
                    return False
                self._call(step)
        return True

    def _errs(self, difficulty: float) -> bool:
        return self._rng.random() < logistic(difficulty - self._ability)

    # Calls

    def _call(self, step: CallStep) -> None:
        errs = self._errs(call_difficulty(step.args, writes=self._writes(step)) + self._strain)
        how = self._rng.random()
        self._strayed |= errs
        if errs and how < 0.5:
            return  # The look-up is skipped, or the write forgotten.
        rounds = self._found.rounds(step)
        made = [self._made(step.call, self._found.arguments(step.args, names), errs=errs) for names in rounds]
        values = [result.value for result in made if result.ok]
        if step.as_ is not None and values:
            self._found.keep_results(step.as_, values, self._columns(step.call), many=step.each is not None)

    def _writes(self, step: CallStep) -> bool:
        return self._episode.environment.tools[step.call].kind == "write"

    def _made(self, tool: str, args: dict[str, Any], *, errs: bool) -> CallResult:
        wrong = wrong_argument(args, self._fields.get(tool, {}), self._found.seen, self._rng) if errs else None
        result = self._episode.call_canonical(tool, **(wrong or args))
        if not result.ok and wrong is not None and not self._errs(RECOVERY):
            result = self._episode.call_canonical(tool, **args)
        if result.ok:
            self._found.seen.add(result.value)
        self._turned_away = not result.ok
        return result

    def _columns(self, tool: str) -> tuple[str, ...]:
        result = self._episode.environment.plans[tool].result
        return tuple(result.columns) if result is not None else ()

    # Picks

    def _pick(self, step: PickStep) -> None:
        try:
            columns, found, rows = self._found.chosen(step.sql)
        except (Unresolved, PickFailed):
            return  # What it would choose from was never looked up.
        right = found[0] if found else PickedRow()
        difficulty = pick_difficulty(
            step.sql, PickSight(len(rows), self._alike(rows, found), self._indirect.get(step.pick, 0))
        )
        if self._errs(difficulty + self._strain):
            found = self._misread(step, found, right, rows)
            self._strayed = True
        if step.many or found:
            self._found.keep(step.pick, found if step.many else found[0], columns, found)

    def _alike(self, rows: Sequence[Mapping[str, Any]], found: list[PickedRow]) -> int:
        chosen = next((row for row in rows if found and all(row.get(k) == v for k, v in found[0].items())), None)
        return 0 if chosen is None else lookalikes(rows, chosen)

    def _misread(
        self, step: PickStep, found: list[PickedRow], right: PickedRow, rows: Sequence[Mapping[str, Any]]
    ) -> list[PickedRow]:
        if step.many and len(found) > 1 and self._rng.random() < 0.5:
            return found[:-1]
        wrong = wrong_row(right, rows, self._rng) if right else None
        return found if wrong is None else [PickedRow(wrong), *found[1:]]

    # Refusing

    def _has_scruples(self, step: CallStep) -> bool:
        """Whether the first write is shied away from, as though a rule forbade it."""
        if self._decided or not self._writes(step):
            return False
        self._decided = True
        return self._errs(SCRUPLE + rules(len(self._options)) + self._strain)

    def _forbidden(self, wanted: Submission) -> None:
        """Who looks at what is not meant sees nothing forbidden. A world that turns the request away tells of it."""
        if self._strayed or self._errs(OVERLOOK + self._strain):
            self._decided, self._turned_away = True, False
            if not self._walks(_STEPS.validate_python(self._task.plan.get("tried", ()))):
                return
            if not self._turned_away or self._errs(INSIST + self._strain):
                self._stop_early()
                return
        self._refuse(wanted.reason)

    def _refuse(self, rule: int | None) -> None:
        """Under `rule` or a wrong one; None: no rule forbids it."""
        if rule is None or self._errs(RULE + rules(len(self._options)) + self._strain):
            rule = wrong_rule(rule, self._options, self._rng)
        self._episode.submit(status="refused", reason=rule)

    # Handing in

    def _stop_early(self) -> None:
        self._episode.submit(status="done")

    def _submit(self, wanted: Submission) -> None:
        try:
            answer = resolve(wanted.answer, self._found.names)
        except Unresolved:
            self._stop_early()
            return
        if answer is not None and self._errs(ANSWER + self._strain):
            answer = wrong_answer(answer, self._found.seen, self._rng)
        self._episode.submit(status=wanted.status, reason=wanted.reason, answer=answer)
