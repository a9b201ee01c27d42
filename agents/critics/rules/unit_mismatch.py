"""A number stored, or compared, in another unit than it was given in.

Stands for dollars in a column of cents, hours in a column of minutes. Units are read from the names' endings, and
from descriptions; money without a unit in its name is in minor units, as in all worlds. A conversion in the SQL (any
arithmetic) is taken for the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding, Param
from ...tester.columns import is_money
from ...tester.conditions import comparison
from ...tester.names import Names
from ...tester.queries import RESULTS, Query
from ...tester.trees import assignments, place_of, unwrapped
from ..reading.base import Context, again, finding

KIND = "unit_mismatch"
_AMOUNTS = re.compile(r"\b(?:amounts?|prices?|totals?|balances?|sums?|money)\b[^.]*\bin (dollars|euros|pounds)\b")
_MAJOR = re.compile(r"\bin (dollars|euros|pounds)\b")
_MINOR = re.compile(r"\bin (cents|pence|minor units)\b")
_SCALES = frozenset({"100", "100.0", "0.01"})
_FAMILIES = (
    {"cents": "cents|minor units|pence", "dollars": "dollars|euros|pounds|whole currency units"},
    {"seconds": "seconds", "minutes": "minutes|mins", "hours": "hours", "days": "days", "weeks": "weeks"},
    {"grams": "grams", "kg": "kg|kilograms?|kilos"},
    {"metres": "metres|meters", "km": "km|kilomet(?:re|er)s"},
    {"percent": "percent|pct|per cent", "fraction": "fraction|ratio"},
)
_ENDINGS = {
    unit: re.compile(rf"(^|_)({words.replace(' ', '_')})$") for family in _FAMILIES for unit, words in family.items()
}
_SAID = {
    unit: re.compile(rf"\b(?:in|number of|how many) (?:whole )?({words})\b")
    for family in _FAMILIES
    for unit, words in family.items()
}


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        names = context.anatomy.names[query.tool]
        for column, value in _pairs(context, query):
            origin = names.origin(value)
            if isinstance(origin, exp.Coalesce):
                origin = unwrapped(origin.this)
            yield from _check(query, names, column, origin)
        yield from _scaled(context, query, names)
        if query.kind in RESULTS:
            yield from _shown(context, query)
            yield from _promised(context, query)


def _shown(context: Context, query: Query) -> Iterator[Finding]:
    """Amounts shown as they are stored, in whole minor units, where the description promises major ones."""
    said = _AMOUNTS.search(context.anatomy.tools[query.tool].description.lower())
    for column in query.tree.selects if said is not None and isinstance(query.tree, exp.Select) else ():
        place = place_of(column.this if isinstance(column, exp.Alias) else column, context.anatomy.tables)
        if place is not None and said is not None and _unit_of(f"{place.table}.{place.column}") == "cents":
            message = f"{query.tool} promises amounts in {said[1]} and shows {place.table}.{place.column}, in cents."
            yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _promised(context: Context, query: Query) -> Iterator[Finding]:
    """A description in major units of a result that scales nothing, in a package whose other texts speak of minor
    ones."""
    tools = context.anatomy.tools
    said = _MAJOR.search(tools[query.tool].description.lower())
    if (
        said is None
        or query.tree is None
        or any(str(each.this) in _SCALES for each in query.tree.find_all(exp.Literal))
    ):
        return
    others = sorted(
        name for name, tool in tools.items() if name != query.tool and _MINOR.search(tool.description.lower())
    )
    if others and not any(
        _MAJOR.search(tool.description.lower()) for name, tool in tools.items() if name != query.tool
    ):
        message = f"{query.tool} promises amounts in {said[1]}; {', '.join(others[:3])} show the like in minor units."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _scaled(context: Context, query: Query, names: Names) -> Iterator[Finding]:
    """Money taken from a column of money and multiplied or divided by a hundred on its way into another."""
    for found in assignments(query.tree):
        value = unwrapped(names.origin(found.value))
        if _unit_of(f"{found.table}.{found.column}") != "cents" or not isinstance(value, exp.Mul | exp.Div):
            continue
        for side, factor in ((value.this, value.expression), (value.expression, value.this)):
            source = place_of(names.origin(unwrapped(side)), context.anatomy.tables)
            scale = isinstance(factor, exp.Literal) and str(factor.this) in _SCALES
            if scale and source is not None and _unit_of(f"{source.table}.{source.column}") == "cents":
                message = (
                    f"{query.tool} stores {source.table}.{source.column} in {found.table}.{found.column} scaled by"
                    f" {factor}, though both are in minor units."
                )
                yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _pairs(context: Context, query: Query) -> Iterator[tuple[str, exp.Expr]]:
    """Columns, and what is stored in them or compared with them."""
    yield from ((f"{found.table}.{found.column}", found.value) for found in assignments(query.tree))
    for node in query.tree.find_all(exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE) if query.tree is not None else ():
        found = comparison(node)
        for each in (found, found.flipped()) if found is not None and not isinstance(node.parent, exp.Update) else ():
            place = place_of(each.left, context.anatomy.tables)
            if place is not None:
                yield f"{place.table}.{place.column}", each.right


def _check(query: Query, names: Names, column: str, origin: exp.Expr) -> Iterator[Finding]:
    if not isinstance(origin, exp.Placeholder) or origin.name not in names.params:
        return
    wanted, given = _unit_of(column), _of_param(origin.name, names.params[origin.name])
    if wanted is not None and given is not None and wanted != given and _family(wanted) == _family(given):
        message = f"{query.tool} takes {origin.name} in {given} and uses it for {column}, in {wanted}, as it is."
        yield finding(KIND, "major", query.where, message, probe=again(KIND), sql=query.sql)


def _of_param(name: str, param: Param) -> str | None:
    said = [unit for unit, words in _SAID.items() if words.search(param.description.lower())]
    return said[0] if len(said) == 1 else _by_ending(name)


def _unit_of(column: str) -> str | None:
    """A column's unit: by its ending; money without one is in minor units."""
    return _by_ending(column) or ("cents" if is_money(column.split(".")[-1]) else None)


def _by_ending(name: str) -> str | None:
    return next((unit for unit, ending in _ENDINGS.items() if ending.search(name.split(".")[-1])), None)


def _family(unit: str) -> int:
    return next(index for index, family in enumerate(_FAMILIES) if unit in family)
