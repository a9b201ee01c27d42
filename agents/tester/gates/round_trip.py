"""Round trip: what a write reports can be read back, and reads agree with each other. Pages add up to the list, rows
stand in the order that was asked for, a filter keeps what it names and nothing else, and a row reads the same in a list
and by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp

from ....environments.models import Expectation, Finding, Param, Probe, ProbeCall
from ....environments.resolution import ResolvedTool
from ..base import GateContext, static_finding
from ..readback import reported
from ..reads import Listing, listed_table, listing, may_call, pages
from ..sorting import keys_of, misplaced, orders_of, tied
from ..stage import Stage
from ..trials import Trials

NAME = "round_trip"
_SAMPLES = 3
_COMPARED = {"min_": ">=", "max_": "<="}


class RoundTrip:
    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        anatomy, trials = context.anatomy, Trials(context.anatomy, context.seed)
        found = [*_written(context, trials)]
        with Stage(context.environment) as stage:
            for tool in anatomy.tools.values():
                lists = tool.kind == "read" and tool.returns is not None and tool.returns.many is not None
                whole = listing(anatomy, trials, tool) if lists else None
                if whole is not None:
                    found += [*_pages(stage, whole), *_orders(stage, whole)]
                    found += [*_filters(stage, whole), *_single(context, stage, whole)]
        return found


def _written(context: GateContext, trials: Trials) -> Iterator[Finding]:
    """Rows that writes report, read by themselves."""
    for write, read, fields, lost in reported(context.anatomy, trials):
        where = f"tools.{write.tool}.returns"
        calls = [step.probe_call().model_dump(mode="json") for step in (write, read)]
        if lost:
            message = f"{write.tool} reports a row that {read.tool} does not find."
            yield static_finding(NAME, "write_not_found", "major", where, message, calls=calls)
        elif fields:
            message = f"{write.tool} reports another {', '.join(fields)} than {read.tool} shows right after."
            yield static_finding(NAME, "write_misreported", "major", where, message, calls=calls)


def _pages(stage: Stage, whole: Listing) -> Iterator[Finding]:
    if whole.tool.page is None:
        return
    size = max(1, min(whole.tool.page.max, len(whole.items) // 3 + 1))
    if pages(stage, whole, size) != list(whole.items):
        message = f"{whole.tool.name}: pages of {size} do not add up to the list."
        yield static_finding(NAME, "pages_disagree", "major", f"tools.{whole.tool.name}.returns", message)


def _orders(stage: Stage, whole: Listing) -> Iterator[Finding]:
    """Every order that a caller may choose, by the values of the rows."""
    tool = whole.tool
    page = {"limit": tool.page.max} if tool.page is not None else {}
    for sort, order in orders_of(tool).items():
        args = {**whole.args, **page, **({"sort": sort} if sort is not None else {})}
        result = stage.call(tool.name, args, whole.actor).result
        items = result.value["items"] if result.ok else []
        keys, complete = keys_of(order, items) if items else ((), False)
        where = f"tools.{tool.name}.returns.order{f'.options.{sort}' if sort is not None else ''}"
        wrong = misplaced(items, keys)
        if wrong is not None:
            message = f"{tool.name}: rows do not stand in the order {order!r} by their {wrong}."
            yield static_finding(NAME, "order_unlike_values", "major", where, message)
        elif tool.page is not None and complete and tied(items, keys):
            message = f"{tool.name}: {order!r} leaves open which of two rows comes first, and pages may repeat one."
            yield static_finding(NAME, "order_not_total", "major", where, message)


def _filters(stage: Stage, whole: Listing) -> Iterator[Finding]:
    """Optional parameters named like a field of the items, or `min_`, `max_` and a field."""
    for name, param in whole.tool.params.items():
        field, operator = _field_of(name)
        if name in whole.tool.required or field not in whole.items[0] or not _plain(param):
            continue
        for value in _values(whole.items, field, param):
            wanted = [item for item in whole.items if _keeps(item[field], operator, value)]
            args = {**whole.args, name: value}
            if whole.tool.page is not None:
                args["limit"] = whole.tool.page.max
            result = stage.call(whole.tool.name, args, whole.actor).result
            at_least = param.ref is not None  # a row may belong to more than the one it names
            if result.ok and not _agrees(result.value["items"], wanted, at_least):
                call = ProbeCall(call=whole.tool.name, args=args, actor=whole.actor)
                expected = _expected(field, operator, value, len(wanted), at_least)
                yield _filter_finding(whole.tool, name, call, expected)
                break


def _agrees(found: list[Any], wanted: list[Any], at_least: bool) -> bool:
    return all(item in found for item in wanted) if at_least else found == wanted


def _field_of(name: str) -> tuple[str, str]:
    prefix = next((prefix for prefix in _COMPARED if name.startswith(prefix)), "")
    return name.removeprefix(prefix), _COMPARED.get(prefix, "=")


def _plain(param: Param) -> bool:
    """Whether a value of the parameter is one of the field, and not a text to search for."""
    return param.type in ("integer", "boolean", "number") or param.enum is not None or param.format == "date"


def _values(items: Sequence[Mapping[str, Any]], field: str, param: Param) -> list[Any]:
    """A few values of the field that the parameter could take, from the items."""
    seen = [item[field] for item in items if item[field] is not None]
    fitting = [value for value in dict.fromkeys(seen) if _fits(value, param)]
    return fitting[:: max(1, len(fitting) // _SAMPLES)][:_SAMPLES]


def _fits(value: Any, param: Param) -> bool:
    if param.enum is not None:
        return value in param.enum
    if isinstance(value, bool) or param.type == "boolean":
        return isinstance(value, bool) and param.type == "boolean"
    return isinstance(value, str) if param.type == "string" else isinstance(value, int | float)


def _keeps(found: Any, operator: str, value: Any) -> bool:
    if found is None:
        return False
    return bool({"=": found == value, ">=": found >= value, "<=": found <= value}[operator])


def _expected(field: str, operator: str, value: Any, count: int, at_least: bool) -> Expectation:
    literal = exp.convert(int(value) if isinstance(value, bool) else value).sql(dialect="sqlite")
    if at_least:
        return Expectation(result=f'SELECT count(*) >= {count} FROM result WHERE "{field}" {operator} {literal}')
    only = f'NOT EXISTS (SELECT 1 FROM result WHERE NOT coalesce("{field}" {operator} {literal}, 0))'
    return Expectation(result=f"SELECT (SELECT count(*) FROM result) = {count} AND {only}")


def _filter_finding(tool: ResolvedTool, name: str, call: ProbeCall, expected: Expectation) -> Finding:
    return Finding(
        kind="filter_disagrees",
        severity="major",
        where=f"tools.{tool.name}.params.{name}",
        message=f"{tool.name} with {name} does not keep the items that it shows with that {name} without it.",
        source=f"gate:{NAME}",
        probe=Probe(actor=call.actor, calls=(call,), expect=(expected,)),
        confirmed=True,
    )


def _single(context: GateContext, stage: Stage, whole: Listing) -> Iterator[Finding]:
    """Rows of the list read one by one."""
    anatomy = context.anatomy
    table = listed_table(anatomy, whole.tool)
    for tool in anatomy.tools.values() if table is not None else ():
        if tool.returns is None or tool.returns.one is None or tool.kind != "read" or len(tool.required) != 1:
            continue
        key = tool.required[0]
        points = tool.params[key].ref is not None and str(tool.params[key].ref).split(".")[0] == table
        if points and listed_table(anatomy, tool) == table and may_call(anatomy, tool, whole.actor):
            yield from _compare(stage, whole, tool, key)


def _compare(stage: Stage, whole: Listing, tool: ResolvedTool, key: str) -> Iterator[Finding]:
    for item in whole.items[:: max(1, len(whole.items) // _SAMPLES)][:_SAMPLES]:
        result = stage.call(tool.name, {key: item["id"]}, whole.actor).result
        if not result.ok:
            continue
        differing = sorted(name for name in item.keys() & result.value.keys() if item[name] != result.value[name])
        if differing:
            message = f"{whole.tool.name} and {tool.name} show another {', '.join(differing)} for id {item['id']}."
            where = f"tools.{whole.tool.name}.returns"
            yield static_finding(NAME, "reads_disagree", "major", where, message, other=tool.name, fields=differing)
            return
