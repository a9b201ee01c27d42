"""A tool that is described for rows of one status and takes rows of any.

Stands for dropped guards: "Move a confirmed booking …" that moves a cancelled one. The status must be one that the
column's CHECK lists, and stand before the noun in the description. A successful call with a row of another status is
the proof; without one nothing is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp

from ....environments.models import Expectation, Finding, Probe
from ....environments.resolution import ResolvedTool
from ...tester.anatomy import Anatomy
from ...tester.columns import checked_values, is_status
from ...tester.deciding import deciding_columns
from ...tester.trees import ColumnPlace
from ..reading.base import Context, finding

KIND = "description_status"
_TRIED = 4


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        for param, place in _pointing(context.anatomy, tool) if tool.kind == "write" else ():
            said = _described(context.anatomy, tool, place)
            if said and place not in deciding_columns(context.anatomy, name):
                yield from _check(context, tool, param, place, said)


def _pointing(anatomy: Anatomy, tool: ResolvedTool) -> Iterator[tuple[str, ColumnPlace]]:
    """Parameters that point at rows with a status."""
    for name, param in tool.params.items():
        if param.ref is not None:
            table = param.ref.split(".")[0]
            yield from (
                (name, ColumnPlace(table, column.name))
                for column in anatomy.tables[table].columns
                if is_status(column.name)
            )


def _described(anatomy: Anatomy, tool: ResolvedTool, place: ColumnPlace) -> tuple[str, ...]:
    """The statuses that the description gives the row: "a confirmed booking", "an open or paused ticket"."""
    sentence = tool.description.split(".")[0].lower()
    values = checked_values(anatomy.tables[place.table], place.column)
    nouns = {place.table, place.table.removesuffix("s"), *(word for word in place.table.split("_"))}
    noun = "|".join(re.escape(each.removesuffix("s").replace("_", " ")) for each in sorted(nouns))
    return tuple(
        value
        for value in values
        if re.search(rf"\b{re.escape(value.replace('_', ' '))}(?: (?:or|and) \w+)?,? (?:{noun})s?\b", sentence)
    )


def _check(
    context: Context, tool: ResolvedTool, param: str, place: ColumnPlace, said: Sequence[str]
) -> Iterator[Finding]:
    for key in _others(context.anatomy, place, said):
        trial = context.trials.through(tool, fixed={param: key}, accept=lambda done: bool(done.changes), tries=24)
        if trial is not None:
            message = f"{tool.name} is for {' or '.join(said)} {place.table} and takes others too ({param} {key})."
            refused = Expectation(fails=("conflict", "invalid_argument", "not_found", "forbidden"))
            probe = Probe(calls=(trial.step.probe_call(),), expect=(refused,))
            yield finding(KIND, "major", f"tools.{tool.name}.params.{param}", message, probe=probe)
            return


def _others(anatomy: Anatomy, place: ColumnPlace, said: Sequence[str]) -> list[Any]:
    key = anatomy.tables[place.table].primary_key[0]
    listed = ", ".join(exp.convert(value).sql(dialect="sqlite") for value in said)
    sql = (
        f'SELECT min("{key}") FROM "{place.table}" WHERE "{place.column}" NOT IN ({listed}) GROUP BY "{place.column}"'
    )
    return [row[0] for row in anatomy.seed_rows(sql)][:_TRIED]
