"""Running a gold program: its calls go through the episode's tools, its picks over what they returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ..faults import Fault
from ..models import CallResult, CallStep, PickStep, Submission, SubmitStep, Task, Verifier
from ..states import state_signature
from .records import ExecutedCall, ExecutedPick, GoldFailure, GoldRun
from .references import Unresolved, look_up, names_in_sql, pick_query, resolve
from .scratch import PickFailed, Scratch

if TYPE_CHECKING:
    from ..episode import Episode
    from ..package import Environment


def run_gold(
    environment: Environment,
    task: Task,
    *,
    until: int | None = None,
    skip: Collection[int] = (),
    episode: Episode | None = None,
) -> GoldRun:
    """Run the gold program of `task`; what goes wrong in it becomes `failure`, never an exception.

    `until` runs the first so many steps only; `skip` leaves steps out (by index). `episode` is an open one to run
    in, left open; without it a fresh one is opened and closed.
    """
    with nullcontext(episode) if episode else environment.open(task) as opened:
        program = _Program(environment, task, opened)
        try:
            failure = program.run(until, skip)
        finally:
            program.close()
        changes, after = opened.changes(), opened.final_image()
        return GoldRun(
            steps=program.executed(),
            chosen=tuple(program.picks),
            submission=program.submission,
            changes=changes,
            after=after,
            signature=state_signature(environment, changes, after, free=task.verifier.free),
            failure=failure,
        )


class _Stopped(Exception):
    """A step failed; the message says why."""


class _Program:
    """One run of a program: what it has named so far, as values and as tables."""

    def __init__(self, environment: Environment, task: Task, episode: Episode) -> None:
        self._environment = environment
        self._task = task
        self._episode = episode
        self._names: dict[str, Any] = {}
        picks = [step for step in task.gold if isinstance(step, PickStep)]
        self._read_by_picks = {name for pick in picks for name in names_in_sql(pick.sql)}
        known = environment.memory.picks if environment.memory else None
        self._scratch = Scratch(environment.spec.clock, {"actor_id": task.actor.id}, known)
        self._calls: list[ExecutedCall] = []
        self._repeats = _repeats(task)
        self.picks: list[ExecutedPick] = []
        self.submission: Submission | None = None

    def close(self) -> None:
        self._scratch.close()

    def run(self, until: int | None, skip: Collection[int]) -> GoldFailure | None:
        steps = self._task.gold if until is None else self._task.gold[:until]
        for index, step in enumerate(steps):
            if index in skip:
                continue
            try:
                self._step(index, step)
            except (_Stopped, Unresolved, PickFailed) as reason:
                return GoldFailure(index, str(reason))
        return None

    def _step(self, index: int, step: CallStep | PickStep | SubmitStep) -> None:
        if isinstance(step, PickStep):
            self._pick(index, step)
        elif isinstance(step, SubmitStep):
            self._submit(step)
        elif step.each is None:
            self._name(step, [self._call(index, None, step, self._names)])
        else:
            self._repeat(index, step, step.each)

    def _repeat(self, index: int, step: CallStep, each: str) -> None:
        items = look_up(each, self._names)
        if isinstance(items, Mapping) and isinstance(items.get("items"), list):
            items = items["items"]
        if not isinstance(items, list):
            raise _Stopped(f"each: {each} is not a list: {_shown(items)}")
        results = [self._call(index, turn, step, {**self._names, "it": item}) for turn, item in enumerate(items)]
        self._name(step, results)

    def _call(self, index: int, turn: int | None, step: CallStep, names: Mapping[str, Any]) -> Any:
        """The result of a call; one that an injected fault failed is made again, as anyone would."""
        if step.call == "submit":
            raise _Stopped("submit is a step of its own, the last one, and no call")
        args = resolve(step.args, names)
        while True:
            result = self._episode.call_canonical(step.call, **args)
            self._calls.append(ExecutedCall(index, turn, step.call, args, result, ()))
            if result.ok:
                return result.value
            if not self._repeats[step.call]:
                raise _Stopped(f"{step.call}({_arguments(args)}) failed: {_why(result)}")
            self._repeats[step.call] -= 1

    def executed(self) -> tuple[ExecutedCall, ...]:
        """The calls with the rows that each changed."""
        changes = self._episode.changes_by_call()
        own = changes[len(changes) - len(self._calls) :]
        return tuple(call._replace(changes=changed) for call, changed in zip(self._calls, own, strict=True))

    def _name(self, step: CallStep, results: Sequence[Any]) -> None:
        if step.as_ is None:
            return
        self._names[step.as_] = list(results) if step.each is not None else results[0]
        if step.as_ in self._read_by_picks:
            self._scratch.put(step.as_, *self._rows(step.call, results), origin=results)

    def _rows(self, tool: str, results: Sequence[Any]) -> tuple[Sequence[str], list[Mapping[str, Any]]]:
        """The table that a tool's results make, its columns known also where there are no rows."""
        plan = self._environment.plans.get(tool)
        if plan is None:
            return ("reply",), list(results)  # `say`: what the simulated person answered
        if plan.result is None:
            return ("ok",), list(results)
        if plan.result.kind == "many":
            return plan.result.columns, [item for result in results for item in result["items"]]
        return (("value",) if plan.result.kind == "value" else plan.result.columns), list(results)

    def _pick(self, index: int, step: PickStep) -> None:
        query = pick_query(step.sql, self._names)
        try:
            columns, rows = self._scratch.pick(query)
        except PickFailed as error:
            raise _Stopped(f"pick {step.pick}: {error}") from error
        sources = self._scratch.sizes(query)
        if not step.many and len(rows) != 1:
            among = ", ".join(f"${name} has {size} rows" for name, size in sources.items())
            raise _Stopped(f"pick {step.pick}: found {len(rows)} rows instead of one ({among})")
        value: Any = rows if step.many else rows[0]
        self._names[step.pick] = value
        if step.pick in self._read_by_picks:
            self._scratch.put(step.pick, columns, rows)
        self.picks.append(ExecutedPick(index, step.pick, value, sources))

    def _submit(self, step: SubmitStep) -> None:
        verifier = self._task.verifier
        whole = verifier.answer.kind in ("rows", "object")
        answer = resolve(step.submit.answer, self._names, whole_rows=whole)
        self.submission = step.submit.model_copy(update={"answer": answer})
        # Until a verifier is written nothing asks for the answer, and `submit` would refuse it.
        handed_in = None if verifier == Verifier() else answer
        result = self._episode.submit(step.submit.status, step.submit.reason, handed_in)
        if not result.ok:
            raise _Stopped(f"submit failed: {_why(result)}")


def _repeats(task: Task) -> Counter[str]:
    """How many calls of each tool the task's faults may fail."""
    found = Counter[str]()
    for fault in map(Fault.model_validate, task.faults):
        if fault.kind != "stale":
            found[fault.tool] += fault.times
    return found


def _why(result: CallResult) -> str:
    error = result.error
    told = f"{error.code}: {error.message}" if error else "no reason given"
    return f"{told} ({result.detail})" if result.detail else told


def _arguments(args: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in args.items())


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
