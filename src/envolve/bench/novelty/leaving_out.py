"""A copy of which 10 to 30% is left out: tables with all that speaks of them, tools, and tasks.

What is left runs as before. Rules stay as they are worded, though one may speak of what is gone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from random import Random
from typing import Any

from envolve.environments.models import EnvironmentSpec, Task
from envolve.environments.package import Environment
from envolve.environments.sql_text import split, words

LEAST, MOST = 0.1, 0.3
"""Shares of the tools that are left out; of tables and tasks no more than `MOST` goes by choice."""
_MOST_STATEMENTS = 500_000


def subset(environment: Environment, seed: int) -> Environment:
    """The environment without some of it. Tasks that need what is gone go too, and some more at random."""
    draw = Random(seed)
    share = draw.uniform(LEAST, MOST)
    tables, tools = _chosen(environment, share, draw)
    kept = tuple(tool for tool in environment.tools_file.tools if tool.name not in tools)
    return Environment.build(
        spec=_spec(environment, tables),
        schema_sql=_without(environment.schema_sql, tables),
        seed_sql=_without(environment.seed_sql, tables),
        tools=environment.tools_file.model_copy(update={"tools": kept}),
        tasks=_tasks(environment, tables, tools, share, draw),
    )


def _chosen(environment: Environment, share: float, draw: Random) -> tuple[set[str], set[str]]:
    """Tables and tools to leave out: first tables whose tools are few enough, then tools by themselves."""
    users = {
        tool.name: _mentioned(tool.model_dump(mode="json", by_alias=True)) for tool in environment.tools_file.tools
    }
    shared = _mentioned(environment.tools_file.shared.model_dump(mode="json", by_alias=True))
    actors = {role.table for role in environment.spec.roles.values()}
    names = sorted(environment.tables())
    # Statements are told by their words: a table that is called like a column would take others with it.
    columns = {column.name for table in environment.tables().values() for column in table.columns}
    gone, tools = set[str](), set[str]()
    for table in draw.sample(names, len(names)):
        needing = {name for name, mentioned in users.items() if table in mentioned}
        referred = any(
            reference.table == table
            for name, info in environment.tables().items()
            for reference in info.references
            if name not in {*gone, table}
        )
        fits = len(tools | needing) <= share * len(users) and len(gone) + 1 <= MOST * len(names)
        if fits and not referred and table not in {*actors, *shared, *columns}:
            gone.add(table)
            tools |= needing
    rest = sorted(users.keys() - tools)
    more = max(0, round(share * len(users)) - len(tools))
    return gone, tools | set(draw.sample(rest, min(more, len(rest) - 1)))


def _tasks(
    environment: Environment, tables: Collection[str], tools: Collection[str], share: float, draw: Random
) -> Iterable[Task]:
    """Those that need nothing of what is gone, less a share."""
    left = [
        task
        for task in environment.tasks.values()
        if not {*tables, *tools} & _mentioned(task.model_dump(mode="json", by_alias=True, exclude={"plan", "goal"}))
        and not set(tables) & {word for word, _ in words(task.goal.sql or "")}
    ]
    wanted = min(len(left), max(1, round((1 - share) * len(environment.tasks))))
    kept = {task.id for task in draw.sample(left, wanted)} if left else set[str]()
    return [task for task in left if task.id in kept and (task.twin is None or task.twin in kept)]


def _mentioned(tree: Any) -> set[str]:
    """Every bare word of the texts of a JSON-like tree, keys included."""
    if isinstance(tree, str):
        return set(re.findall(r"[a-z_][a-z0-9_]*", tree))
    if isinstance(tree, dict):
        return {word for key, value in tree.items() for word in ({key} | _mentioned(value))}
    if isinstance(tree, list):
        return {word for item in tree for word in _mentioned(item)}
    return set()


def _without(sql: str, tables: Collection[str]) -> str:
    """The script without the statements that name one of the tables outside of texts."""
    statements = [placed.sql for placed in split(sql, _MOST_STATEMENTS)]
    kept = [one for one in statements if not {word for word, _ in words(one)} & set(tables)]
    return "".join(f"{one.rstrip().rstrip(';')};\n" for one in kept)


def _spec(environment: Environment, tables: Collection[str]) -> EnvironmentSpec:
    spec, columns = environment.spec, environment.spec.columns
    everywhere = {name: {column.name for column in info.columns} for name, info in environment.tables().items()}
    known = set().union(*everywhere.values())

    def there(place: str) -> bool:
        return place.partition(".")[0] not in tables

    def speaks(sql: str) -> bool:
        return bool({word for word, _ in words(sql)} & set(tables))

    def fits(condition: str) -> bool:
        """Whether a table that is left has all columns of a word's condition."""
        named = {word for word, _ in words(condition)} & known
        return any(named <= own for name, own in everywhere.items() if name not in tables)

    return spec.model_copy(
        update={
            "columns": columns.model_copy(
                update={
                    "clock": tuple(filter(there, columns.clock)),
                    "code": tuple(filter(there, columns.code)),
                    "log": tuple(filter(there, columns.log)),
                    "order": {place: group for place, group in columns.order.items() if there(place)},
                }
            ),
            "invariants": tuple(one for one in spec.invariants if not speaks(one.sql)),
            "glossary": {word: sql for word, sql in spec.glossary.items() if fits(sql) and not speaks(sql)},
        }
    )


def left_out(whole: Environment, part: Environment) -> tuple[float, float]:
    """Shares of the tables and of the tools of `whole` that `part` lacks."""
    return 1 - len(part.tables()) / len(whole.tables()), 1 - len(part.tools) / len(whole.tools)
