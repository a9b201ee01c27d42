"""From the trace of a rollout to a program that runs again in a fresh world: other ways to do a task, found by solvers.

Calls that failed are left out, and what was made in the episode (ids of new rows, random codes) is named by the result
that told it, so that the program does not rest on the numbers of one world. Only what is in the trace is used: what a
solver said, or thought, is no part of the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..environments.canonical import canonical_json
from ..environments.gold import GoldRun, run_gold, written
from ..environments.models import CallStep, Param, Rollout, RowChange, Submission, SubmitStep, Task, Trace, TraceEvent
from ..environments.models.tasks import GoldStep
from ..environments.package import Environment
from ..environments.states import comparison_of
from .audit.base import Program

Path = tuple[str, ...]
"""The calls that wrote, in order, each with its arguments as canonical JSON."""

_SAYABLE = re.compile(r"[A-Za-z0-9_]+")

MOST_WAYS = 8
"""Ways unlike gold's that are kept of a task's rollouts: an audit runs and judges each."""


class Way(NamedTuple):
    """A way that rollouts went and gold did not. `passed` of the `rollouts` that went it passed; `same_end`: it ends
    ≈ gold's state. `program` hands in what the first that passed did; one that ends ≈ gold's hands in gold's own, since
    answers have gates of their own."""

    path: Path
    program: Program
    solvers: tuple[str, ...]
    passed: int
    rollouts: int
    same_end: bool


def ways_unlike_gold(environment: Environment, task: Task, rollouts: Iterable[Rollout]) -> tuple[Way, ...]:
    """The distinct ways other than gold's that passed or that end ≈ gold's state, at most MOST_WAYS: those that pass
    and end elsewhere first, then in the order of the rollouts. None for a task without a gold that runs.

    Two ways are the same if they make the same writes in the same order: reads leave nothing for a verifier to see.
    """
    calm = task.model_copy(update={"faults": ()})
    gold = run_gold(environment, calm)
    if gold.failure is not None or gold.submission is None:
        return ()
    followed = _path((step.call, step.args) for step in gold.steps if environment.writes(step.call))
    found = [
        way
        for path, group in _by_path(environment, rollouts).items()
        if path != followed and (way := _way(environment, calm, gold, path, group)) is not None
    ]
    return tuple(sorted(found, key=lambda way: not way.passed or way.same_end)[:MOST_WAYS])


def program_of(environment: Environment, trace: Trace, submission: Submission | None = None) -> Program | None:
    """The program of a trace, with `submission` handed in instead of its own; None where nothing was handed in."""
    handed_in = submission or _handed_in(trace)
    if handed_in is None:
        return None
    steps, made = list[GoldStep](), _Made(environment)
    for number, event in enumerate(_succeeded(trace)):
        name = f"r{number}"
        args = {key: made.named(event.tool or "", key, value) for key, value in (event.args or {}).items()}
        steps.append(CallStep.model_validate({"call": event.tool, "args": args, "as": name}))
        made.add(name, event)
    answer = made.answer(handed_in.answer)
    return (*steps, SubmitStep(submit=handed_in.model_copy(update={"answer": answer})))


def path_of(environment: Environment, trace: Trace) -> Path:
    """The writes of a trace that succeeded."""
    calls = ((event.tool or "", event.args or {}) for event in _succeeded(trace))
    return _path((tool, args) for tool, args in calls if environment.writes(tool))


def _path(calls: Iterable[tuple[str, Mapping[str, Any]]]) -> Path:
    return tuple(canonical_json([tool, args]) for tool, args in calls)


def _by_path(environment: Environment, rollouts: Iterable[Rollout]) -> dict[Path, list[Rollout]]:
    """Those whose verdict says something of the solver, by the way that they went."""
    found: dict[Path, list[Rollout]] = {}
    for rollout in rollouts:
        if rollout.verdict.reward is not None:
            found.setdefault(path_of(environment, rollout.trace), []).append(rollout)
    return found


def _way(environment: Environment, task: Task, gold: GoldRun, path: Path, group: list[Rollout]) -> Way | None:
    passed = [rollout for rollout in group if rollout.verdict.passed]
    trace = (passed or group)[0].trace
    same = _ends_as(environment, task, trace, gold)
    if not passed and not same:
        return None
    program = program_of(environment, trace, gold.submission if same else None)
    if program is None:
        return None
    solvers = tuple(dict.fromkeys(rollout.solver for rollout in passed or group))
    return Way(path, program, solvers, len(passed), len(group), same)


def _ends_as(environment: Environment, task: Task, trace: Trace, gold: GoldRun) -> bool:
    """Whether what a trace did, done again, ends ≈ gold's state."""
    program = program_of(environment, trace, gold.submission)
    if program is None:
        return False
    run = run_gold(environment, task.model_copy(update={"gold": program}), until=len(program) - 1)
    return run.failure is None and run.signature == gold.signature


def _handed_in(trace: Trace) -> Submission | None:
    """Stopping without a word counts as done; running into a limit does not."""
    return trace.submission or (Submission() if trace.limit is None else None)


def _succeeded(trace: Trace) -> Iterator[TraceEvent]:
    return (event for event in trace.events if event.kind == "call" and event.result is not None and event.result.ok)


class _Made:
    """Values that the episode made, and the references that name them: a result told of none before it was made."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._codes = comparison_of(environment).ignored
        self._keys: dict[tuple[str, Any], int] = {}
        self._texts: dict[str, int] = {}
        self._told: list[tuple[str, Any]] = []

    def add(self, name: str, event: TraceEvent) -> None:
        """Take in what a call made and what it told."""
        for change in event.changes:
            self._note(change)
        if event.result is not None:
            self._told.append((name, event.result.value))

    def _note(self, change: RowChange) -> None:
        since = len(self._told)
        if change.op == "insert":
            self._keys |= {(f"{change.table}.{column}", value): since for column, value in change.key.items()}
        for column in self._codes[change.table] & set(change.new):
            if isinstance(change.new[column], str):
                self._texts.setdefault(change.new[column], since)

    def named(self, tool: str, argument: str, value: Any) -> Any:
        return self._named(self._environment.params(tool).get(argument), value)

    def answer(self, value: Any) -> Any:
        """What is handed in as an answer: ids of new rows cannot be told from other numbers there."""
        return self._named(None, value)

    def _named(self, param: Param | None, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(param.items if param else None, item) for item in value]
        if isinstance(value, Mapping):
            inner = (param.properties if param else None) or {}
            return {key: self._named(inner.get(key), item) for key, item in value.items()}
        since = self._texts.get(value) if isinstance(value, str) else None
        if since is None and param is not None and param.ref is not None:
            since = self._keys.get((param.ref, value))
        reference = None if since is None else self._reference(value, since)
        return reference or written(value)

    def _reference(self, value: Any, since: int) -> str | None:
        """The first result, of those from `since` on, that told the value, and where."""
        for name, told in self._told[since:]:
            for place in _places(told, value):
                return f"${name}{place}"
        return None


def _places(told: Any, value: Any) -> Iterator[str]:
    """Where a value stands in a result, as the path of a reference; `id` before other fields. Fields whose names no
    reference can say (`count(*)`) are passed over."""
    if isinstance(told, Mapping):
        for key in sorted(filter(_SAYABLE.fullmatch, told), key=lambda name: name != "id"):
            yield from (f".{key}{place}" for place in _places(told[key], value))
    elif isinstance(told, list):
        for index, item in enumerate(told):
            yield from (f".{index}{place}" for place in _places(item, value))
    elif type(told) is type(value) and told == value:
        yield ""
