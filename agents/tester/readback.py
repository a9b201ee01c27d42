"""What a write reports, read back: the row that its result shows, as the read tool of that row shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...environments.resolution import ResolvedTool
from .anatomy import Anatomy
from .fuzzing.steps import Step
from .reads import listed_table, may_call
from .stage import Stage
from .trials import Trials

_TRIES = 24


class Reported(NamedTuple):
    """A write, the read of the row that it reported, and the fields in which the two differ. No fields and `lost`: the
    read does not find the row."""

    write: Step
    read: Step
    fields: tuple[str, ...]
    lost: bool = False


def readers(anatomy: Anatomy) -> Mapping[str, tuple[ResolvedTool, str]]:
    """By table: the tool that reads one of its rows by its key alone, and that parameter."""
    found: dict[str, tuple[ResolvedTool, str]] = {}
    for tool in anatomy.tools.values():
        if tool.kind != "read" or tool.returns is None or tool.returns.one is None or len(tool.required) != 1:
            continue
        table, key = listed_table(anatomy, tool), tool.required[0]
        ref = tool.params[key].ref
        if table is not None and ref is not None and ref == f"{table}.{anatomy.tables[table].primary_key[0]}":
            found.setdefault(table, (tool, key))
    return found


def reported(anatomy: Anatomy, trials: Trials) -> Iterator[Reported]:
    """For each write that answers with a row, whether it can be read back, as one call that got through shows."""
    reading = readers(anatomy)
    for tool in anatomy.tools.values():
        table = listed_table(anatomy, tool) if tool.kind == "write" else None
        if table is not None and table in reading:
            found = _read_back(anatomy, trials, tool, *reading[table])
            if found is not None:
                yield found


def _read_back(
    anatomy: Anatomy, trials: Trials, tool: ResolvedTool, reader: ResolvedTool, key: str
) -> Reported | None:
    trial = trials.through(tool, accept=lambda done: isinstance(done.result.value, dict), tries=_TRIES)
    if trial is None or not may_call(anatomy, reader, trial.step.actor):
        return None
    with Stage(anatomy.environment) as stage:
        answer = stage.call(trial.step.tool, trial.step.args, trial.step.actor).result
        if not answer.ok or answer.value.get("id") is None:
            return None
        read = Step(reader.name, {key: answer.value["id"]}, trial.step.actor)
        again = stage.call(read.tool, read.args, read.actor).result
    if again.error is not None:
        return Reported(trial.step, read, (), lost=True) if again.error.code == "not_found" else None
    return Reported(trial.step, read, _differing(answer.value, again.value))


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(name for name in one.keys() & other.keys() if one[name] != other[name]))
