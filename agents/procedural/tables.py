"""Tables of a world: from entities and the columns that links add, to SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

from .contexts import Contexts
from .shorthand import Column, column
from .templates import render_tree


class Table(NamedTuple):
    """One table; `refs` maps columns to the keys (`archetype.entity`) they refer to."""

    key: str
    name: str
    columns: dict[str, Column]
    refs: dict[str, str]
    unique: tuple[tuple[str, ...], ...]
    checks: tuple[str, ...]
    log: bool


def tables(contexts: Contexts) -> dict[str, Table]:
    """All tables by key, each after those that it refers to."""
    made = {key: table for name in _parts(contexts) for key, table in _own_tables(contexts, name).items()}
    for name in _parts(contexts):
        _add_columns(contexts, name, made)
    order = TopologicalSorter({key: sorted({*table.refs.values()} - {key}) for key, table in made.items()})
    return {key: made[key] for key in order.static_order()}


def _parts(contexts: Contexts) -> tuple[str, ...]:
    return (*contexts.design.archetypes, *contexts.design.links)


def _own_tables(contexts: Contexts, name: str) -> dict[str, Table]:
    context, by_slot, slots = contexts.of(name), contexts.tables(name), contexts.slots(name)
    made = {}
    for slot, entity in contexts.entities(name).items():
        key = f"{name}.{slot}"
        columns = _columns(render_tree(entity.columns, context), by_slot)
        made[key] = Table(
            key=key,
            name=contexts.names[key].table,
            columns=columns,
            refs={column_: slots[spec.ref] for column_, spec in columns.items() if spec.ref},
            unique=tuple(tuple(item) for item in _plain(entity.unique, "columns", context)),
            checks=tuple(_plain(entity.checks, "sql", context)),
            log=entity.log,
        )
    return made


def _plain(items: Iterable[Any], key: str, context: dict[str, Any]) -> list[Any]:
    """Rendered items; those with a condition are mappings that hold the item under `key`."""
    return [item[key] if isinstance(item, dict) else item for item in render_tree(list(items), context)]


def _columns(specs: Mapping[str, Any], by_slot: dict[str, str]) -> dict[str, Column]:
    """A list is of alternatives: the first whose condition holds counts."""
    chosen = {name: next(iter(spec), None) if isinstance(spec, list) else spec for name, spec in specs.items()}
    return {name: column(name, spec, by_slot) for name, spec in chosen.items() if spec is not None}


def _add_columns(contexts: Contexts, name: str, made: dict[str, Table]) -> None:
    slots = contexts.slots(name)
    added = render_tree(contexts.part(name).columns, contexts.of(name))
    for slot, specs in added.items():
        table = made[slots[slot]]
        columns = _columns(specs, contexts.tables(name))
        refs = {column_: slots[spec.ref] for column_, spec in columns.items() if spec.ref}
        made[table.key] = table._replace(columns={**table.columns, **columns}, refs={**table.refs, **refs})


def schema_sql(made: Mapping[str, Table]) -> str:
    """CREATE TABLE and CREATE INDEX statements."""
    return "\n".join(part for table in made.values() for part in (_create(table), *_indexes(table)))


def _create(table: Table) -> str:
    lines = ["id INTEGER NOT NULL PRIMARY KEY", *(f"{name} {spec.sql}" for name, spec in table.columns.items())]
    lines += [f"UNIQUE ({', '.join(columns)})" for columns in table.unique]
    lines += [f"CHECK ({check})" for check in table.checks]
    return f"CREATE TABLE {table.name} (\n  " + ",\n  ".join(lines) + "\n) STRICT;"


def _indexes(table: Table) -> list[str]:
    return [f"CREATE INDEX {table.name}_by_{name} ON {table.name} ({name});" for name in table.refs]


def column_classes(made: Mapping[str, Table]) -> dict[str, list[str]]:
    """`clock`, `code` and `log` of environment.yaml."""
    by_kind: dict[str, list[str]] = {"clock": [], "code": []}
    for table in made.values():
        for name, spec in table.columns.items():
            if spec.kind in by_kind:
                by_kind[spec.kind].append(f"{table.name}.{name}")
    return {**by_kind, "log": [table.name for table in made.values() if table.log]}
