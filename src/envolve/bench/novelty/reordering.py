"""A copy in which tables, columns, rows, tools, parameters, rules of integrity and tasks stand in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from envolve.environments.connections import connected
from envolve.environments.models import Tool
from envolve.environments.package import Environment
from envolve.environments.schema import TableInfo
from envolve.environments.sql_lexemes import COMMENT, QUOTED_NAME, TEXT
from envolve.environments.sql_text import first_word, split

T = TypeVar("T")

_PIECE = re.compile(rf"{TEXT}|{QUOTED_NAME}|{COMMENT}|[(),]", re.DOTALL)
_OF_TABLE = re.compile(r"\s*(check|unique|primary|foreign|constraint)\b", re.IGNORECASE)
_MOST_STATEMENTS = 2_000


def reordered(environment: Environment, seed: int) -> Environment:
    """The same environment in another order; every task is carried over."""
    draw = Random(seed)
    spec = environment.spec
    return Environment.build(
        spec=spec.model_copy(
            update={
                "invariants": _shuffled(spec.invariants, draw),
                "requirements": _shuffled(spec.requirements, draw),
                "glossary": _keys_shuffled(spec.glossary, draw),
            }
        ),
        schema_sql=_schema(environment.schema_sql, draw),
        seed_sql=_seed(environment, draw),
        tools=environment.tools_file.model_copy(
            update={"tools": tuple(_tool(tool, draw) for tool in _shuffled(environment.tools_file.tools, draw))}
        ),
        tasks=_shuffled(tuple(environment.tasks.values()), draw),
    )


def _shuffled(items: Sequence[T], draw: Random) -> tuple[T, ...]:
    return tuple(draw.sample(items, len(items)))


def _keys_shuffled(mapping: Mapping[str, T], draw: Random) -> dict[str, T]:
    return {key: mapping[key] for key in _shuffled(tuple(mapping), draw)}


def _tool(tool: Tool, draw: Random) -> Tool:
    return tool.model_copy(update={"params": _keys_shuffled(tool.params, draw)})


def _schema(sql: str, draw: Random) -> str:
    """Tables with their columns shuffled, then all that may refer to them."""
    statements = [placed.sql for placed in split(sql, _MOST_STATEMENTS)]
    tables = [_columns_shuffled(one, draw) for one in statements if _creates_table(one)]
    others = [one for one in statements if not _creates_table(one)]
    return "\n".join(f"{one.rstrip().rstrip(';')};" for one in (*_shuffled(tables, draw), *others)) + "\n"


def _creates_table(statement: str) -> bool:
    return re.match(r"create\s+(virtual\s+)?table\b", statement, re.IGNORECASE) is not None


def _columns_shuffled(statement: str, draw: Random) -> str:
    parts = list(_parts(statement))
    if first_word(statement) != "create" or not parts:
        return statement
    start, end = parts[0].start, parts[-1].end
    columns = [part.text for part in parts if not _OF_TABLE.match(part.text)]
    rest = [part.text for part in parts if _OF_TABLE.match(part.text)]
    return statement[:start] + ",".join((*_shuffled(columns, draw), *rest)) + statement[end:]


class _Part:
    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text.strip("\n"), start, end


def _parts(statement: str) -> Iterator[_Part]:
    """What stands between the commas of the outermost brackets."""
    depth, start = 0, 0
    for match in _PIECE.finditer(statement):
        if match[0] == "(":
            depth += 1
            start = match.end() if depth == 1 else start
        elif match[0] in (",", ")") and depth == 1:
            yield _Part(statement[start : match.start()], start, match.start())
            start = match.end()
        if match[0] == ")":
            depth -= 1
            if not depth:
                return


def _seed(environment: Environment, draw: Random) -> str:
    """Every row by itself, tables and columns in any order: references are held against the whole."""
    tables = [table for table in environment.tables().values() if not table.view]
    with connected(environment.image) as connection:
        statements = [line for table in _shuffled(tables, draw) for line in _rows(connection, table, draw)]
    return "".join(f"{line}\n" for line in statements)


def _rows(connection: Any, table: TableInfo, draw: Random) -> tuple[str, ...]:
    names = _shuffled(table.stored, draw)
    quoted = ", ".join(f'quote("{name}")' for name in names)
    listed = ", ".join(f'"{name}"' for name in names)
    rows = connection.execute(f'SELECT {quoted} FROM "{table.name}"').fetchall()
    lines = [f'INSERT INTO "{table.name}" ({listed}) VALUES ({", ".join(map(str, row))});' for row in rows]
    return _shuffled(lines, draw)
