"""A list in which a row comes once for each row of another table."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ...tester.anatomy import Anatomy
from ...tester.trees import parse, render, sources
from ..base import Change
from ..slots import slots


class DuplicateRows:
    kind = "duplicate_rows"

    def sites(self, anatomy: Anatomy) -> Iterator[Change]:
        for tool in anatomy.tools.values():
            for slot in slots(tool):
                if slot.kind in ("many", "value"):
                    for sql, note in _joined(slot.sql, anatomy):
                        yield Change(slot.where, note, slot.put(sql))


def _joined(sql: str, anatomy: Anatomy) -> Iterator[tuple[str, str]]:
    """The query joined to each table that points at the first one it reads."""
    parsed = parse(sql)
    if not isinstance(parsed, exp.Select) or parsed.args.get("from_") is None:
        return
    first = sources(parsed, anatomy.tables)[0]
    key = anatomy.tables[first.table].primary_key if first.table is not None else ()
    columns = {column.name.lower() for column in parsed.find_all(exp.Column) if not column.table}
    for table in anatomy.stored_tables:
        for reference in table.references:
            clear = not columns & set(table.by_name)
            if reference.table == first.table and reference.to_columns == key and len(key) == 1 and clear:
                on = f"extra.{reference.columns[0]} = {first.alias}.{key[0]}"
                joined = parsed.copy().join(f"{table.name} AS extra", on=on, join_type="left", dialect="sqlite")
                yield render(joined), f"joined to {table.name}"
