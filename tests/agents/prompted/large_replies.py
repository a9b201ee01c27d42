"""Replies of architect and coder for a world as large as any: taken from one that the procedural agents composed, cut as
the prompts ask for it. They stand for what a model would write; nothing of them is a model's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from envolve.agents.prompted.architect.sketch import tables_read
from envolve.agents.prompted.coder.rows import rows_of
from envolve.agents.prompted.coder.seeding import batches
from envolve.environments.package import Environment

from .kayaks import Player

_TABLES, _TOOLS, _WANTS = 6, 7, 12
_FEWEST_ROWS = 4
"""Of each table of a batch, as a coder is asked for."""


def large_player(environment: Environment, *, parts: bool = True) -> Player:
    """Right replies that make an environment like this one. `parts`: whether its tables are parted by an architect."""
    groups = _groups(environment)
    return _player(environment, _parts(environment) if parts else {"all": _stored(environment)}, groups)


def _player(
    environment: Environment, parts: Mapping[str, tuple[str, ...]], groups: Mapping[str, tuple[str, ...]]
) -> Player:
    replies: dict[str, list[object]] = {"architect/requirements": [_requirements(environment, parts, groups)]}
    for number, (name, part) in enumerate(parts.items(), 1):
        replies[f"architect/schema {name}"] = [_schema(environment, parts, part, last=number == len(parts))]
    for name, tools in groups.items():
        replies[f"architect/tools {name}"] = [{"tools": [_contract(environment, tool) for tool in tools]}]
        replies[f"coder/tools {tools[0]}"] = [{"tools": [_written(environment, tool) for tool in tools]}]
    for batch in _batches(environment, parts):
        replies[f"coder/seed {batch[0]}"] = [_rows(environment, batch)]
    return Player(replies)


def has_rows_enough(environment: Environment) -> bool:
    """Whether no batch of tables, however its tables are parted, has fewer rows than a coder is asked for."""
    rows, log = rows_of(environment), environment.spec.columns.log
    parted = (_parts(environment), {"all": _stored(environment)})
    counted = [[name for name in batch if name not in log] for one in parted for batch in _batches(environment, one)]
    return all(sum(len(rows[name]) for name in batch) >= _FEWEST_ROWS * len(batch) for batch in counted)


def _batches(environment: Environment, parts: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    return [
        list(batch) for batch in batches(list(parts.values()), environment.tables(), 4, environment.spec.columns.log)
    ]


def _parts(environment: Environment) -> dict[str, tuple[str, ...]]:
    """Tables by part, those of the actors in the first."""
    tables = environment.tables()
    stored = _stored(environment)
    actors = {role.table for role in environment.spec.roles.values()}
    ordered = [name for batch in batches([stored], tables, 1) for name in batch]
    first = [name for name in ordered if name in _needed(environment, actors)]
    ordered = [*first, *(name for name in ordered if name not in first)]
    cuts = range(0, len(ordered), _TABLES)
    return {f"part-{start}": tuple(ordered[start : start + _TABLES]) for start in cuts}


def _stored(environment: Environment) -> tuple[str, ...]:
    return tuple(name for name, table in environment.tables().items() if not table.view)


def _needed(environment: Environment, names: set[str]) -> set[str]:
    found, left = set(names), set(names)
    while left:
        left = {target.table for name in left for target in environment.tables()[name].references} - found
        found |= left
    return found


def _groups(environment: Environment) -> dict[str, tuple[str, ...]]:
    names = list(environment.tools)
    return {f"group-{start}": tuple(names[start : start + _TOOLS]) for start in range(0, len(names), _TOOLS)}


def _served(environment: Environment, tool: str) -> str:
    return f"r{list(environment.tools).index(tool) % _WANTS + 1}"


def _requirements(
    environment: Environment, parts: Mapping[str, Sequence[str]], groups: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    spec = environment.spec
    rules = [line.partition(". ")[2] for line in spec.policy.splitlines()][:9]
    role, tables = next(iter(spec.roles)), [name for part in parts.values() for name in part]
    texts = [*spec.requirements, *spec.requirements][:_WANTS]
    return {
        "service": spec.id.rsplit("-", 1)[0],
        "summary": spec.summary,
        "actors": [
            {"role": name, "table": actor.table, "where": actor.where, "who": f"Acts as {name}."}
            for name, actor in spec.roles.items()
        ],
        "requirements": [
            {
                "id": f"r{number}",
                "actor": role,
                "want": text,
                "says": text,
                "tables": tables[number - 1 :: _WANTS] or tables[:1],
                "after": "It is done.",
                "refused_by": 1 if number == 1 else None,
            }
            for number, text in enumerate(texts, 1)
        ],
        "policy": rules,
        "conditions": [rule.name for rule in spec.invariants],
        "parts": [
            {"name": name, "purpose": "Some tables.", "tables": [{"name": table, "about": table} for table in part]}
            for name, part in parts.items()
        ],
        "groups": [
            {"name": name, "requirements": sorted({_served(environment, tool) for tool in tools}), "tools": tools}
            for name, tools in groups.items()
        ],
    }


def _schema(
    environment: Environment, parts: Mapping[str, Sequence[str]], part: Sequence[str], *, last: bool
) -> dict[str, Any]:
    columns = environment.spec.columns
    indexes = [sql for kind, _, sql in environment.kit.built.objects if kind == "index"]
    return {
        "tables": [{"name": name, "sql": environment.tables()[name].sql} for name in part],
        "indexes": [sql for sql in indexes if any(f" {name} (" in sql or f"{name}(" in sql for name in part)],
        "clock": columns.clock if last else [],
        "code": columns.code if last else [],
        "log": [name for name in columns.log if name in part],
        "order": [{"column": column, "within": group} for column, group in columns.order.items()] if last else [],
        "invariants": list(_invariants(environment, parts, part)),
    }


def _invariants(
    environment: Environment, parts: Mapping[str, Sequence[str]], part: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Those that the part is the first to have all tables for."""
    before: set[str] = set()
    for other in parts.values():
        if other == part:
            break
        before |= set(other)
    rules = environment.spec.invariants
    reads = tables_read(environment, [rule.sql for rule in rules])
    for number, (rule, read) in enumerate(zip(rules, reads, strict=True), 1):
        if read <= before | set(part) and not read <= before:
            yield {"name": rule.name, "sql": rule.sql, "condition": number}


def _json(environment: Environment, tool: str, *fields: str) -> dict[str, Any]:
    data = environment.tools[tool].model_dump(mode="json", by_alias=True, exclude_defaults=True, include=set(fields))
    return {"name": tool, **data}


def _contract(environment: Environment, tool: str) -> dict[str, Any]:
    plan = environment.plans[tool]
    reads = {table for statement in plan.statements for table, _ in statement.reads}
    said = _json(environment, tool, "description", "kind", "roles", "params", "required", "contract")
    result = list(plan.result.columns) if plan.result else []
    return {**said, "result": result, "reads": sorted(reads), "serves": [_served(environment, tool)]}


def _written(environment: Environment, tool: str) -> dict[str, Any]:
    return _json(environment, tool, "steps", "returns")


def _rows(environment: Environment, batch: Sequence[str]) -> dict[str, Any]:
    rows = rows_of(environment)
    tables = [
        {
            "table": name,
            "columns": environment.tables()[name].stored,
            "rows": [list(row.values()) for row in rows[name].values()],
        }
        for name in batch
    ]
    return {"tables": tables}


def longest(player: Player) -> int:
    """Characters of the longest reply."""
    return max(len(json.dumps(reply)) for replies in player.replies.values() for reply in replies)
