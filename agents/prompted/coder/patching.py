"""Patches: small changes of an environment's tools, rows, tables, invariants and rules, applied to a copy."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ....environments.models import EnvironmentSpec, Invariant, Tool, ToolsFile
from ....environments.package import Environment
from ....environments.resolution import ResolvedTool
from ....environments.sql_text import split
from ..architect.drafts import TableDraft
from ..architect.sketch import built, ended
from .drafts import InvariantEdit, PatchDraft, ReplacedTool, RowEdit, RuleEdit
from .rows import Row, Rows, plain, rows_of, seed_sql
from .tool_edits import PatchProblem, put

_CREATED = re.compile(r'^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?["`\[]?(\w+)', re.IGNORECASE)
_MOST_STATEMENTS = 2_000


def tool_json(tool: ResolvedTool | Tool) -> dict[str, Any]:
    """A tool as its file has it, with shared pieces put in."""
    data: dict[str, Any] = tool.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"places"})
    return {key: _whole(value) for key, value in data.items()}


def _whole(value: Any) -> Any:
    """Bounds of parameters are floats in the model; `minimum: 1` reads better than 1.0."""
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def patched(environment: Environment, draft: PatchDraft) -> Environment:
    """The environment with a patch applied. Errors: PatchProblem, or PackageError if it does not build so."""
    schema = _schema(environment.schema_sql, draft.tables)
    return Environment.build(
        spec=_spec(environment.spec, draft),
        schema_sql=schema,
        seed_sql=_seed(environment, schema, draft.rows) if draft.rows or draft.tables else environment.seed_sql,
        tools=_tools(environment, draft),
        tasks=environment.tasks.values(),
    )


def _spec(spec: EnvironmentSpec, draft: PatchDraft) -> EnvironmentSpec:
    return spec.model_copy(
        update={
            "invariants": _invariants(spec.invariants, draft.invariants),
            "policy": _policy(spec.policy, draft.policy),
        }
    )


def _invariants(rules: Sequence[Invariant], edits: Sequence[InvariantEdit]) -> tuple[Invariant, ...]:
    """In their order; new ones at the end."""
    after = {rule.name: rule for rule in rules}
    for edit in edits:
        if edit.sql is not None:
            after[edit.name] = Invariant(name=edit.name, sql=edit.sql)
        elif after.pop(edit.name, None) is None:
            raise PatchProblem(f"invariants: there is no {edit.name!r} to take out ({', '.join(after)}).")
    return tuple(after.values())


def _policy(policy: str, edits: Sequence[RuleEdit]) -> str:
    for edit in edits:
        lines = policy.splitlines()
        at = next((index for index, line in enumerate(lines) if line.startswith(f"{edit.number}. ")), None)
        if at is None:
            raise PatchProblem(f"policy: there is no rule {edit.number}.")
        lines[at] = f"{edit.number}. {edit.text}"
        policy = "".join(f"{line}\n" for line in lines)
    return policy


def _schema(schema_sql: str, tables: Sequence[TableDraft]) -> str:
    if not tables:
        return schema_sql
    statements = [placed.sql for placed in split(schema_sql, _MOST_STATEMENTS)]
    for table in tables:
        own = [index for index, sql in enumerate(statements) if _created(sql) == table.name]
        if not own or _created(table.sql) != table.name:
            raise PatchProblem(f"tables.{table.name}: give CREATE TABLE {table.name} (…) STRICT of a table there is.")
        statements[own[0]] = table.sql
    return "\n\n".join(map(ended, statements)) + "\n"


def _created(sql: str) -> str | None:
    match = _CREATED.match(sql)
    return match[1] if match else None


def _seed(environment: Environment, schema_sql: str, edits: Sequence[RowEdit]) -> str:
    rows = rows_of(environment)
    for edit in edits:
        _edit_row(environment, rows, edit)
    empty = built(environment.spec, schema_sql)
    if isinstance(empty, Environment):
        # A table that lost a column loses its values; what still asks for them does not prepare, and is told.
        before, after = environment.tables(), empty.tables()
        rows = {
            name: {key: _kept(row, set(before[name].stored) - set(after[name].stored)) for key, row in own.items()}
            for name, own in rows.items()
        }
    return seed_sql(rows)


def _kept(row: Row, lost: Collection[str]) -> Row:
    return {column: value for column, value in row.items() if column not in lost}


def _edit_row(environment: Environment, rows: Rows, edit: RowEdit) -> None:
    table = environment.tables().get(edit.table)
    if table is None or table.view:
        raise PatchProblem(f"rows: there is no table {edit.table!r}.")
    if set(edit.key) != set(table.primary_key):
        raise PatchProblem(f"rows: the key of {edit.table} is {', '.join(table.primary_key)}; give exactly that.")
    key = tuple(edit.key[column] for column in table.primary_key)
    own = rows[edit.table]
    if edit.delete:
        if own.pop(key, None) is None:
            raise PatchProblem(f"rows: {edit.table} has no row {key}.")
        return
    own[key] = {**own.get(key, edit.key), **{column: plain(value) for column, value in edit.set.items()}}


def _tools(environment: Environment, draft: PatchDraft) -> ToolsFile:
    file = environment.tools_file
    after: dict[str, Tool] = {tool.name: tool for tool in file.tools}
    for tool in draft.tools:
        after[tool.name] = _replaced(tool, after.get(tool.name))
    edited: dict[str, dict[str, Any]] = {}
    for edit in draft.edits:
        if edit.tool not in after:
            raise PatchProblem(f"edits: there is no tool {edit.tool!r}.")
        if edit.tool not in edited:
            known = environment.tools.get(edit.tool) if after[edit.tool] in file.tools else None
            edited[edit.tool] = tool_json(known or after[edit.tool])
        put(edited[edit.tool], edit)
    for name, data in edited.items():
        after[name] = _valid(name, data)
    return file.model_copy(update={"tools": tuple(after.values())})


def _replaced(tool: ReplacedTool, before: Tool | None) -> Tool:
    values = {name: getattr(tool, name) for name in type(tool).model_fields}
    steps = tuple(step.step() for step in tool.steps)
    return Tool.model_validate({**values, "steps": steps, "distractor": before is not None and before.distractor})


def _valid(name: str, data: Mapping[str, Any]) -> Tool:
    try:
        tool = Tool.model_validate(data)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors(include_url=False))
        raise PatchProblem(f"edits: {name} is no valid tool then: {'; '.join(problems)}") from error
    if tool.name != name:
        raise PatchProblem(f"edits: {name} cannot take another name.")
    return tool
