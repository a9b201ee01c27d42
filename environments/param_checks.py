"""Whether a parameter makes sense by itself and against the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .arguments import Arguments
from .models import Param
from .patterns import Pattern
from .schema import TableInfo

_STRINGS = ("min_length", "max_length", "pattern", "format")
_NUMBERS = ("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of")
_ARRAYS = ("items", "min_items", "max_items", "unique_items")
_OBJECTS = ("properties", "required")
_KEYWORDS_OF = {
    "string": _STRINGS,
    "integer": _NUMBERS,
    "number": _NUMBERS,
    "boolean": (),
    "array": _ARRAYS,
    "object": _OBJECTS,
}


def param_problems(param: Param, tables: Mapping[str, TableInfo], depth: int = 0) -> Iterator[tuple[str, str]]:
    """(field below the parameter, with its dot, what is wrong with it)."""
    yield from _keyword_problems(param)
    yield from _reference_problems(param, tables, depth)
    if param.items:
        inside_array = depth + 1 if depth == 0 and not param.ref else depth + 2
        yield from _below(".items", param.items, tables, inside_array)
    for name, inner in (param.properties or {}).items():
        yield from _below(f".properties.{name}", inner, tables, depth + 2)
    for name in param.required or ():
        if name not in (param.properties or {}):
            yield ".required", f"{name!r} is no property"
    if param.default is not None:
        yield from _default_problems(param)


def _below(field: str, param: Param, tables: Mapping[str, TableInfo], depth: int) -> Iterator[tuple[str, str]]:
    for place, problem in param_problems(param, tables, depth):
        yield field + place, problem


def _keyword_problems(param: Param) -> Iterator[tuple[str, str]]:
    own = _KEYWORDS_OF[param.type]
    for keyword in (*_STRINGS, *_NUMBERS, *_ARRAYS, *_OBJECTS):
        if keyword not in own and getattr(param, keyword) is not None:
            yield "", f"{keyword} does not go with type {param.type}"
    if param.multiple_of is not None and param.multiple_of <= 0:
        yield ".multipleOf", "must be above 0"
    if param.enum is not None and not param.enum:
        yield ".enum", "is empty: no value would be valid"
    problem = Pattern(param.pattern).problem() if param.pattern is not None else None
    if problem:
        yield ".pattern", problem


def _reference_problems(param: Param, tables: Mapping[str, TableInfo], depth: int) -> Iterator[tuple[str, str]]:
    if param.scope and not param.ref:
        yield ".scope", "scope goes with ref"
    if not param.ref:
        return
    if depth > 1 or param.type in ("array", "object"):
        yield ".ref", "ref goes with a parameter of a plain type, or with the items of an array"
        return
    table, column = param.ref.split(".")
    if table not in tables:
        yield ".ref", f"there is no table {table!r}"
    elif column not in tables[table].by_name:
        yield ".ref", f"{table} has no column {column!r}"


def _default_problems(param: Param) -> Iterator[tuple[str, str]]:
    problem = Arguments({"default": param}, ()).problem({"default": param.default})
    if problem:
        yield ".default", problem
