"""What calls and statements of a planted package show by themselves, without a word of its texts: rows that stand twice
in one list, keys that no longer put rows together, calls that are answered and change nothing, or come to something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from ...environments.models import ProbeCall
from ...environments.package import Environment
from ...environments.resolution import ResolvedTool
from ..tester.stage import Outcome, Stage
from ..tester.trees import ColumnPlace, Tables, parse, place_of
from .slots import slots

_PIECES = ("limit", "offset")


def rows_repeated(sound: Environment, planted: Environment, calls: Sequence[ProbeCall]) -> bool:
    """Whether the list that the calls lead to holds a row twice, which it does not in the sound package. Lists are
    asked for whole, as far as one page goes."""
    whole = [*calls[:-1], *(_whole(call) for call in calls[-1:])]
    return _repeats(_last_outcome(planted, whole)) and not _repeats(_last_outcome(sound, whole))


def _whole(call: ProbeCall) -> ProbeCall:
    return call.model_copy(update={"args": {name: value for name, value in call.args.items() if name not in _PIECES}})


def _last_outcome(environment: Environment, calls: Sequence[ProbeCall]) -> Outcome | None:
    """What came of the last of the calls, made in a fresh world; None if there are none."""
    outcome = None
    with Stage(environment) as stage:
        for call in calls:
            if call.actor is not None:
                outcome = stage.call(call.call, call.args, call.actor)
    return outcome


def _repeats(outcome: Outcome | None) -> bool:
    value: Any = outcome.result.value if outcome is not None and outcome.result.ok else None
    items = value.get("items", []) if isinstance(value, dict) else []
    return any(item in items[:index] for index, item in enumerate(items))


def does_nothing(planted: Environment, calls: Sequence[ProbeCall]) -> bool:
    """Whether the last of the calls is answered and changes nothing."""
    outcome = _last_outcome(planted, calls)
    return outcome is not None and outcome.result.ok and not outcome.changes


def comes_to_something(planted: Environment, calls: Sequence[ProbeCall]) -> bool:
    """Whether the last of the calls is answered, and shows rows or a value, or changes something: what is refused with
    another error, or answered with nothing, reaches nobody's rows."""
    outcome = _last_outcome(planted, calls)
    return outcome is not None and outcome.result.ok and (bool(outcome.changes) or _shows(outcome.result.value))


def _shows(value: Any) -> bool:
    return bool(value.get("items")) if isinstance(value, dict) and "items" in value else value is not None


def keys_lost(before: ResolvedTool, after: ResolvedTool, tables: Tables) -> list[str]:
    """Foreign keys by which the tool put rows together, and does no longer."""
    lost = _keys(before, tables).items() - _keys(after, tables).items()
    return sorted(key for key, _ in lost)


def _keys(tool: ResolvedTool, tables: Tables) -> Mapping[str, int]:
    """How often each foreign key ties two tables in the tool's statements."""
    counts: dict[str, int] = {}
    for slot in slots(tool):
        tree = parse(slot.sql)
        for equal in tree.find_all(exp.EQ) if tree is not None else ():
            for key in _keys_of(equal, tables):
                counts[key] = counts.get(key, 0) + 1
    return counts


def _keys_of(equal: exp.EQ, tables: Tables) -> Iterator[str]:
    left, right = place_of(equal.this, tables), place_of(equal.expression, tables)
    for one, other in ((left, right), (right, left)):
        if one is not None and other is not None and _points(one, other, tables):
            yield f"{one.table}.{one.column} → {other.table}.{other.column}"


def _points(one: ColumnPlace, other: ColumnPlace, tables: Tables) -> bool:
    return any(
        (reference.columns, reference.table, reference.to_columns) == ((one.column,), other.table, (other.column,))
        for reference in tables[one.table].references
    )
