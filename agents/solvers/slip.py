"""A simulated solver of known ability: it follows gold through real calls and makes mistakes that people make.

At each step it errs with probability logistic(difficulty of the step - ability): takes a wrong sibling at a pick,
skips a look-up and guesses, forgets a write, gets an argument wrong, stops early, hands in a wrong answer. What comes
of it the world and the verifier decide. A call that failed because of its own mistake it may notice and put right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from ...environments.canonical import seed_from
from ...environments.episode import Episode
from ...environments.errors import InputError
from ...environments.gold.references import PickedRow, Unresolved, pick_query, resolve
from ...environments.gold.scratch import PickFailed, Scratch
from ...environments.models import CallResult, CallStep, PickStep, SubmitStep
from ...eval.base import SolverProfile
from .difficulty import (
    ANSWER,
    SCALE,
    STOP,
    PickSight,
    call_difficulty,
    logistic,
    lookalikes,
    pick_difficulty,
    strain,
)
from .mistakes import wrong_answer, wrong_argument, wrong_row
from .seen import Seen

RECOVERY = -1.0
"""Difficulty of noticing that a failed call was a mistake of one's own."""
GUESS = 40
"""Ids guessed without anything seen lie below this."""


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
    """One walk along gold. `_names` holds what was found so far, right or wrong."""

    def __init__(self, episode: Episode, ability: float) -> None:
        assert episode.task is not None
        self._episode = episode
        self._task = episode.task
        self._ability = ability
        # Not seeded by ability: with the same seed, a better solver errs where the worse one does, or not at all.
        self._rng = Random(seed_from("slip", episode.seed))
        self._names: dict[str, Any] = {}
        self._rows: dict[str, Sequence[Mapping[str, Any]]] = {}
        self._seen = Seen()
        self._scratch = Scratch(episode.environment.spec.clock, {"actor_id": episode.actor.id})
        self._fields = {tool["name"]: tool["inputSchema"].get("properties", {}) for tool in episode.tools}
        self._strain = strain(sum(isinstance(step, CallStep) for step in self._task.gold))
        self._indirect: Mapping[str, int] = self._task.plan.get("picks", {})

    def close(self) -> None:
        self._scratch.close()

    def run(self) -> None:
        for number, step in enumerate(self._task.gold):
            if isinstance(step, SubmitStep):
                return self._submit(step)
            if number and self._errs(STOP + self._strain):
                return self._stop_early()
            if isinstance(step, PickStep):
                self._pick(step)
            else:
                self._call(step)
        return None

    def _errs(self, difficulty: float) -> bool:
        return self._rng.random() < logistic(difficulty - self._ability)

    # Calls

    def _call(self, step: CallStep) -> None:
        writes = self._episode.environment.tools[step.call].kind == "write"
        errs = self._errs(call_difficulty(step.args, writes=writes) + self._strain)
        how = self._rng.random()
        if errs and how < 0.5:
            return  # The look-up is skipped, or the write forgotten.
        made = [self._made(step.call, self._arguments(step.args, names), errs=errs) for names in self._rounds(step)]
        values = [result.value for result in made if result.ok]
        if step.as_ is not None and values:
            self._names[step.as_] = values if step.each is not None else values[0]
            self._put(step.as_, *_table(values, self._columns(step.call)))

    def _rounds(self, step: CallStep) -> list[dict[str, Any]]:
        """The names once, or once for each item of a list."""
        if step.each is None:
            return [self._names]
        try:
            items = resolve(step.each, self._names, whole_rows=True)
        except Unresolved:
            return []
        if isinstance(items, Mapping):
            items = items.get("items")
        return [{**self._names, "it": item} for item in items] if isinstance(items, list) else []

    def _made(self, tool: str, args: dict[str, Any], *, errs: bool) -> CallResult:
        wrong = wrong_argument(args, self._fields.get(tool, {}), self._seen, self._rng) if errs else None
        result = self._episode.call(tool, **(wrong or args))
        if not result.ok and wrong is not None and not self._errs(RECOVERY):
            result = self._episode.call(tool, **args)
        if result.ok:
            self._seen.add(result.value)
        return result

    def _arguments(self, args: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments resolved; what a skipped look-up would have told is guessed, or left out."""
        found: dict[str, Any] = {}
        for name, value in args.items():
            try:
                found[name] = resolve(value, names)
            except Unresolved:
                guess = self._guess(name)
                if guess is not None:
                    found[name] = guess
        return found

    def _guess(self, name: str) -> Any:
        known = self._seen.values(name)
        if known:
            return self._rng.choice(known)
        return self._rng.randint(1, GUESS) if name.endswith("_id") else None

    # Picks

    def _pick(self, step: PickStep) -> None:
        try:
            query = pick_query(step.sql, self._names)
            columns, found = self._scratch.pick(query)
        except (Unresolved, PickFailed):
            return  # What it would choose from was never looked up.
        rows = [row for table in sorted(query.tables) for row in self._rows[table]]
        right = found[0] if found else PickedRow()
        difficulty = pick_difficulty(
            step.sql, PickSight(len(rows), self._alike(rows, found), self._indirect.get(step.pick, 0))
        )
        if self._errs(difficulty + self._strain):
            found = self._misread(step, found, right, rows)
        if step.many or found:
            self._names[step.pick] = found if step.many else found[0]
            self._put(step.pick, columns, found)

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

    # What was found

    def _put(self, name: str, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows[name] = rows
        self._scratch.put(name, columns, rows)

    def _columns(self, tool: str) -> tuple[str, ...]:
        result = self._episode.environment.plans[tool].result
        return tuple(result.columns) if result is not None else ()

    # Handing in

    def _stop_early(self) -> None:
        self._episode.submit(status="done")

    def _submit(self, step: SubmitStep) -> None:
        wanted = step.submit
        try:
            answer = resolve(wanted.answer, self._names)
        except Unresolved:
            self._stop_early()
            return
        if answer is not None and self._errs(ANSWER + self._strain):
            answer = wrong_answer(answer, self._seen, self._rng)
        self._episode.submit(status=wanted.status, reason=wanted.reason, answer=answer)


def _table(values: Sequence[Any], columns: Sequence[str]) -> tuple[Sequence[str], list[Mapping[str, Any]]]:
    """Results as columns and rows: `{"items": [...]}` is many rows, an object one, anything else one `value`."""
    rows: list[Mapping[str, Any]] = []
    for value in values:
        if isinstance(value, Mapping):
            rows += value["items"] if isinstance(value.get("items"), list) else [value]
        else:
            rows.append({"value": value})
    return (columns or list(dict.fromkeys(name for row in rows for name in row)) or ("value",)), rows
