"""Whether a plant leaves its package self-contradictory: by a rule for each class of faults, fixed when it is planted.

A package contradicts itself where its behaviour breaks what stands in it: an invariant, a task's goal, a message, a
description, the policy, a name of a column or parameter, a foreign key. A rule gives the words that are contradicted;
where it finds none, only a reader's judgement can tell the fault from another way to run the place. No critic and no
gate is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import apsw

from ...environments.models import Do, ProbeCall, Require
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.stage import Stage
from .observed import comes_to_something, does_nothing, keys_lost, rows_repeated
from .task_operators import TASK_KINDS
from .wording import rules_of, says_bound, says_count, says_order, says_own, stems, texts_of

_ALREADY = re.compile(r"\balready\b", re.IGNORECASE)
_SPOKEN = 0.6
"""Share of a message's words that a sentence must hold to speak of the same rule."""


class Evidence(NamedTuple):
    """What a rule looks at. `calls` show the fault; `unmet` are tasks whose solution runs in the planted package and
    no longer meets their goal; `against_goal`: the spoilt verifier was seen to disagree with its task's goal."""

    sound: Environment
    planted: Environment
    kind: str
    where: str
    note: str
    calls: Sequence[ProbeCall] = ()
    unmet: Sequence[str] = ()
    against_goal: bool = False

    @property
    def before(self) -> ResolvedTool:
        return self.sound.tools[self.where.split(".")[1]]

    @property
    def after(self) -> ResolvedTool:
        return self.planted.tools[self.where.split(".")[1]]

    @property
    def guard(self) -> Require | None:
        """The guard of the sound tool at the place."""
        parts = self.where.split(".")
        step = self.before.steps[int(parts[3])] if parts[2:3] == ["steps"] else None
        return step if isinstance(step, Require) else None


def contradiction(evidence: Evidence) -> str:
    """What of the package's own is contradicted; empty if nothing was found."""
    if evidence.kind in TASK_KINDS:
        told = {"gold_contradicts": bool(evidence.unmet)} | dict.fromkeys(_VERIFIERS, evidence.against_goal)
        return _TASKS[evidence.kind] if told.get(evidence.kind, True) else ""
    if evidence.unmet:
        return f"goal of {evidence.unmet[0]}"
    broken = next(_broken(evidence), None)
    if broken is not None:
        return f"invariant: {broken}"
    return _RULES[evidence.kind](evidence)


def _broken(evidence: Evidence) -> Iterator[str]:
    """Invariants that the calls break in the planted world and keep in the sound one."""
    sound, planted = (_failing(world, evidence.calls) for world in (evidence.sound, evidence.planted))
    yield from (name for name in planted if name not in sound)


def _failing(environment: Environment, calls: Sequence[ProbeCall]) -> list[str]:
    with Stage(environment) as stage:
        for call in calls:
            if call.actor is not None:
                stage.call(call.call, call.args, call.actor)
        return [each.name for each in environment.spec.invariants if _rows(stage, each.sql)]


def _rows(stage: Stage, sql: str) -> bool:
    try:
        return bool(stage.query(sql))
    except apsw.Error:
        return False


def _sentence(evidence: Evidence, wanted: set[str], *, share: float = _SPOKEN) -> str:
    """The first text of the tool that speaks of the words, or the first rule of the policy that does and that is about
    what the tool is named for."""
    tool, named = evidence.after, stems(evidence.after.name)
    rules = (rule for rule in rules_of(evidence.planted.spec) if named & stems(rule))
    for text in (*texts_of(tool), tool.description, *rules):
        if wanted and len(wanted & stems(text)) >= share * len(wanted):
            return f"says: {text.strip()}"
    return ""


def _dropped_guard(evidence: Evidence) -> str:
    """A text says what the guard refused, and the call gets through: what is refused otherwise is still refused."""
    guard = evidence.guard
    through = guard is not None and comes_to_something(evidence.planted, evidence.calls)
    return _sentence(evidence, stems(guard.error.message)) if through and guard is not None else ""


def _negated(evidence: Evidence) -> str:
    """The message, which stayed, says what is refused."""
    return f"message: {evidence.guard.error.message}" if evidence.guard is not None else ""


def _boundary(evidence: Evidence) -> str:
    """The guard's message says where the bound lies, or a parameter that the comparison reads does."""
    guard = evidence.guard
    if guard is not None and says_bound(guard.error.message):
        return f"message: {guard.error.message}"
    named = set(re.findall(r":(\w+)", evidence.note))
    for name in sorted(named & set(evidence.after.params)):
        if evidence.note.startswith("INSTR("):
            return f"parameter {name} no longer chooses anything"
        if says_bound(f"{name.replace('_', ' ')} {evidence.after.params[name].description}"):
            return f"parameter {name}: {evidence.after.params[name].description}"
    return ""


def _scope(evidence: Evidence) -> str:
    """What the tool, or the parameter, says of the caller's own, where a call reaches another's row: one that another
    check refuses, or that is answered with nothing, keeps every promise."""
    return _own(evidence) if comes_to_something(evidence.planted, evidence.calls) else ""


def _own(evidence: Evidence) -> str:
    """The tool says that it is about the caller's own, or a guard that stayed says so."""
    text = next((text for text in texts_of(evidence.after) if says_own(text)), "")
    if text:
        return f"says: {text.strip()}"
    guard = evidence.guard
    return _sentence(evidence, stems(guard.error.message)) if guard is not None else ""


def _effect(evidence: Evidence) -> str:
    """The description names the table or the columns that are no longer written, beyond what is still written."""
    gone, kept = _written(evidence.before), _written(evidence.after)
    return _sentence(evidence, gone - kept, share=0.5) if gone - kept else ""


def _written(tool: ResolvedTool) -> set[str]:
    """The words of what a tool writes: tables and columns."""
    texts = [step.do for step in tool.steps if isinstance(step, Do)]
    return set().union(*(stems(" ".join(re.findall(r"(?:INTO|UPDATE|FROM|SET)\s+(\w+)", text))) for text in texts))


def _column(evidence: Evidence) -> str:
    """A result shows, a parameter is stored or looked for, under a name that says another column."""
    became = re.fullmatch(r"(.+) became (.+)", evidence.note)
    if became is None:
        return ""
    old = became[1].rpartition(".")[2].strip('"')
    if " AS " in became[2]:
        return f"the result is called {old}"
    return f"parameter {old}" if old in evidence.after.params or f"new_{old}" in evidence.after.params else ""


def _default(evidence: Evidence) -> str:
    """The description names the default; the tool's name or description has the first status."""
    parts = evidence.where.split(".")
    if parts[2] == "params":
        param = evidence.before.params[parts[3]]
        said = f"{param.description} {evidence.before.description}"
        named = re.search(rf"\b{re.escape(str(param.default))}\b", said, re.IGNORECASE)
        return f"says: {param.description}" if named is not None else ""
    return _status(evidence)


def _order(evidence: Evidence) -> str:
    """The description, or the name of the order, says what comes first."""
    option = evidence.where.rpartition(".options.")[2] if ".options." in evidence.where else ""
    if option and says_order(option.replace("_", " ")):
        return f"order {option}"
    said = next((text for text in texts_of(evidence.after) if says_order(text)), "")
    return f"says: {said.strip()}" if said else ""


def _repeated(evidence: Evidence) -> str:
    """The same row comes twice in one list, as the calls show, or counts twice in what the tool calls a count."""
    returns = evidence.after.returns
    if returns is not None and returns.value is not None:
        said = next((text for text in texts_of(evidence.after) if says_count(text)), "")
        return f"says: {said.strip()}" if said else ""
    twice = rows_repeated(evidence.sound, evidence.planted, evidence.calls)
    return "one row stands twice in one list" if twice else ""


def _join(evidence: Evidence) -> str:
    """A foreign key says which rows belong together, and the tool no longer goes by it."""
    lost = keys_lost(evidence.before, evidence.after, evidence.sound.tables())
    return f"foreign key {lost[0]}" if lost else ""


def _unit(evidence: Evidence) -> str:
    """What is given and what is stored have the same name."""
    column = evidence.note.split()[0]
    params = evidence.after.params
    return f"parameter {column}" if column in params or f"new_{column}" in params else ""


def _status(evidence: Evidence) -> str:
    """The tool's name or description has the status that should be set."""
    meant = re.search(r"instead of '(\w+)'", evidence.note)
    if meant is None:
        return ""
    named = stems(meant[1]) & stems(f"{evidence.after.name} {evidence.after.description}")
    return f"named {evidence.after.name}: {evidence.after.description}" if named else ""


def _swallowed(evidence: Evidence) -> str:
    """The call is answered and does nothing of what the description says; where all was "already" so, that is one way
    to run the place."""
    guard = evidence.guard
    done = guard is not None and _ALREADY.search(guard.error.message) is not None
    nothing = not done and does_nothing(evidence.planted, evidence.calls)
    return f"answers as done and does nothing: {evidence.after.description}" if nothing else ""


def _described(evidence: Evidence) -> str:
    return f"the description: {evidence.note}"


def _none(_: Evidence) -> str:
    """Nothing but invariants and goals can tell."""
    return ""


_RULES: dict[str, Callable[[Evidence], str]] = {
    "actor_scope_missing": _scope,
    "boundary_off_by_one": _boundary,
    "cascade_missing": _effect,
    "description_contradicts": _described,
    "duplicate_rows": _repeated,
    "effect_missing": _effect,
    "error_swallowed": _swallowed,
    "guard_dropped": _dropped_guard,
    "guard_negated": _negated,
    "order_wrong": _order,
    "result_leaks": _own,
    "sign_flipped": _none,
    "stale_total": _none,
    "status_illegal": _status,
    "unit_mismatch": _unit,
    "wrong_column": _column,
    "wrong_default": _default,
    "wrong_join": _join,
}
_VERIFIERS = ("verifier_weak", "verifier_strict")
_TASKS: dict[str, str] = {
    "seed_contradicts": "a phrase of the instruction means no row",
    "gold_contradicts": "the goal is not met by the solution",
    "verifier_weak": "the verifier passes what the goal excludes",
    "verifier_strict": "the verifier refuses what meets the goal",
    "verifier_always_passes": "the verifier passes with nothing done",
    "instruction_ambiguous": "a phrase that should mean one row means several",
    "task_infeasible": "the solution is refused",
}
