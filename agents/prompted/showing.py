"""What a prompt shows of an environment, as compact text with bounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from ...environments.models import Param
from ...environments.package import Environment
from ...environments.plans import Change, Condition, Plan
from .clipping import clipped, lines_within, one_line, value_text
from .showing_rows import rows_text as rows_text
from .showing_traces import changes_text as changes_text
from .showing_traces import transcript_text as transcript_text

_MOST_TOOLS = 40_000
_MOST_SCHEMA = 40_000
_MOST_POLICY = 6_000
_MOST_WORLD = 6_000
_LONGEST_DESCRIPTION = 300
_SHOWN = ("table", "view", "trigger")
_BOUNDS = {
    "minimum": "≥ {}",
    "maximum": "≤ {}",
    "exclusive_minimum": "> {}",
    "exclusive_maximum": "< {}",
    "min_length": "at least {} characters",
    "max_length": "at most {} characters",
    "min_items": "at least {} items",
    "max_items": "at most {} items",
    "pattern": "matches {}",
    "format": "{}",
}


def tools_text(environment: Environment, roles: Collection[str] | None = None, *, inside: bool = False) -> str:
    """The tools that actors of these roles may call (None: all): kind, roles, description, parameters (a star marks
    those required) and the columns of the result. `inside` adds what no caller is told: the columns that a tool
    writes, and what it refuses."""
    plans = (plan for plan in environment.plans.values() if roles is None or plan.admits(roles))
    return lines_within((line for plan in plans for line in _tool(plan, inside)), _MOST_TOOLS)


def _tool(plan: Plan, inside: bool) -> Iterator[str]:
    tool = plan.tool
    who = ", ".join(tool.roles) if tool.roles is not None else "anyone"
    yield f"{tool.name} ({tool.kind}; {who}): {clipped(one_line(tool.description), _LONGEST_DESCRIPTION)}"
    for name, param in tool.params.items():
        yield f"  {name}{'*' if name in tool.required else ''} {_param(param)}"
    yield f"  -> {_result(plan)}"
    if inside:
        yield from _inside(plan)


def _inside(plan: Plan) -> Iterator[str]:
    written = [write for step in plan.steps if isinstance(step, Change) for write in step.statement.writes]
    if written:
        shown = (f"{write.op} {write.table}{f'.{write.column}' if write.column else ''}" for write in written)
        yield f"  writes: {', '.join(sorted(set(shown)))}"
    for step in plan.steps:
        if isinstance(step, Condition):
            yield f"  refuses ({step.code}): {one_line(step.message.text)}"


def _param(param: Param) -> str:
    kind = f"array of {_param(param.items)}" if param.items is not None else param.type
    notes = [
        text.format(_bound(bound)) for name, text in _BOUNDS.items() if (bound := getattr(param, name)) is not None
    ]
    if param.enum is not None:
        notes.append("one of " + ", ".join(map(str, param.enum)))
    if param.ref is not None:
        notes.append(f"names {param.ref}")
    if param.scope is not None:
        notes.append(f"for {', '.join(param.scope.roles or ('everyone',))} only where {one_line(param.scope.where)}")
    if param.default is not None:
        notes.append(f"default {value_text(param.default)}")
    if param.nullable:
        notes.append("may be null")
    said = clipped(one_line(param.description), _LONGEST_DESCRIPTION)
    noted = f" ({'; '.join(notes)})" if notes else ""
    return f"{kind}{noted}: {said}" if said else f"{kind}{noted}"


def _bound(bound: object) -> str:
    return str(int(bound)) if isinstance(bound, float) and bound.is_integer() else str(bound)


def _result(plan: Plan) -> str:
    result, returns = plan.result, plan.tool.returns
    if result is None or returns is None:
        return '{"ok": true}'
    if result.kind == "value":
        return '{"value": …}'
    columns = ", ".join(result.columns)
    if result.kind == "one":
        return f"one row: {columns}"
    order = returns.order
    ordered = f"; ordered by {order}" if isinstance(order, str) else ""
    if order is not None and not isinstance(order, str):
        ordered = f"; sort is one of {', '.join(order.options)} (default {order.default})"
    paged = (
        f"; pages: limit (default {returns.page.default}, at most {returns.page.max}), offset" if returns.page else ""
    )
    return f"items: {columns}{ordered}{paged}"


def schema_text(environment: Environment, tables: Collection[str] | None = None) -> str:
    """CREATE statements of tables (None: all, with views and triggers), and how columns take part when states are
    compared."""
    objects = environment.kit.built.objects
    shown = [
        (kind, name, sql) for kind, name, sql in objects if tables is None or (kind == "table" and name in tables)
    ]
    statements = (f"{one_line(sql)};" for kind in _SHOWN for found, _, sql in shown if found == kind)
    return lines_within([*statements, *_classes(environment)], _MOST_SCHEMA)


def _classes(environment: Environment) -> Iterator[str]:
    columns = environment.spec.columns
    if columns.clock or columns.code:
        yield f"Never compared (clocks, codes): {', '.join((*columns.clock, *columns.code))}"
    if columns.log:
        yield f"Log tables, never compared: {', '.join(columns.log)}"
    for column, group in columns.order.items():
        yield f"Compared by rank within {group}: {column}"


def policy_text(environment: Environment) -> str:
    """The policy's numbered rules, and the words with an exact meaning."""
    spec = environment.spec
    rules = spec.policy.strip() or "(no rules)"
    words = [f"{word!r} means {one_line(sql)}" for word, sql in spec.glossary.items()]
    return clipped("\n".join([rules, *words]), _MOST_POLICY)


def world_text(environment: Environment) -> str:
    """Scenario, summary, roles, the world's time, and what must always hold."""
    spec = environment.spec
    lines = [
        f"Scenario: {one_line(spec.scenario)}",
        f"Summary: {one_line(spec.summary)}" if spec.summary else "",
        f"Now: {spec.clock} ({datetime.fromisoformat(spec.clock):%A})",
        *(_role(name, role.table, role.where) for name, role in spec.roles.items()),
        *(f"Always holds: {rule.name}" for rule in spec.invariants),
    ]
    return lines_within((line for line in lines if line), _MOST_WORLD)


def _role(name: str, table: str, where: str | None) -> str:
    return f"Role {name}: rows of {table}" + (f" where {one_line(where)}" if where else "")


def requirements_text(environment: Environment) -> str:
    """What people want to do there, one a line."""
    lines = (f"- {clipped(one_line(text), _LONGEST_DESCRIPTION)}" for text in environment.spec.requirements)
    return lines_within(lines, _MOST_POLICY) or "(not written down)"
