"""A tool's arguments: the JSON Schema that solvers see, strict validation, and what SQL binds.

Nothing is coerced: `"5"` is no integer, `true` is no number, unknown arguments are refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError

from .formats import FORMATS, visible_format
from .models import Param
from .patterns import Pattern
from .values import SQLiteValue

_DEEPEST = 32
_SMALLEST, _LARGEST = -(2**63), 2**63 - 2
"""Integers that SQL can hold. The largest is left out: after a row with that id SQLite draws ids at random."""
_LONGEST_MESSAGE = 300
_SHOWN_PROBLEMS = 3
_MOST_ITEMS = 1_000
_EXACT = 2**53

_KEYWORDS = {
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "min_items": "minItems",
    "max_items": "maxItems",
    "unique_items": "uniqueItems",
}


class Arguments:
    """The arguments of one tool. `schema` is what solvers see (JSON Schema, Draft 2020-12)."""

    def __init__(self, params: Mapping[str, Param], required: tuple[str, ...]) -> None:
        self._params = params
        self.schema = _object_schema(params, required, visible=True)
        self._required = required
        self._validators = {
            name: _strict_validator()(_schema(param, visible=False)) for name, param in params.items()
        }
        self._absent: dict[str, SQLiteValue] = {}
        for name, param in params.items():
            self._absent[name] = bound(param, param.default)
            self._absent[f"given_{name}"] = 0

    @property
    def params(self) -> Mapping[str, Param]:
        """Every parameter, those that paging adds among them."""
        return self._params

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that `bind` binds."""
        return tuple(self._absent)

    def problem(self, args: Mapping[str, Any]) -> str | None:
        """What is wrong with the arguments, in words for the caller; None if nothing is."""
        for name, value in args.items():
            if name not in self._validators:
                known = ", ".join(self._validators) or "none"
                return f"there is no argument {_cut(repr(name))}; arguments: {known}"
            problem = _json_problem(value, 0)
            if problem:
                return f"{name}: {problem}"
            problem = _schema_problem(self._validators[name], value, name)
            if problem:
                return problem
        missing = [name for name in self._required if name not in args]
        return f"missing: {', '.join(missing)}" if missing else None

    def bind(self, args: Mapping[str, Any]) -> dict[str, SQLiteValue]:
        """Bound names of valid arguments: each parameter (its default or NULL if absent) and `given_…`."""
        names = self._absent.copy()
        for name, value in args.items():
            names[name] = bound(self._params[name], value)
            names[f"given_{name}"] = 1
        return names


def validation_problem(validator: jsonschema.Draft202012Validator, args: Mapping[str, Any]) -> str | None:
    """Why `args` are no JSON that SQL can hold, or do not fit the validator's schema; None if they do."""
    for name, value in args.items():
        problem = _json_problem(value, 0)
        if problem:
            return f"{_cut(name)}: {problem}"
    return _schema_problem(validator, args, "")


def _schema_problem(validator: jsonschema.Draft202012Validator, value: Any, name: str) -> str | None:
    errors = validator.iter_errors(value)
    first = next(errors, None)
    if first is None:
        return None
    return "; ".join(_said(error, name) for error in (first, *islice(errors, _SHOWN_PROBLEMS - 1)))


def bound(param: Param, value: Any) -> SQLiteValue:
    """The SQL value of an argument: arrays and objects as JSON, booleans as 0 and 1, `number`s as REAL."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, int) and param.type == "number" and abs(value) <= _EXACT:
        return float(value)
    result: SQLiteValue = value
    return result


def _object_schema(params: Mapping[str, Param], required: tuple[str, ...], *, visible: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: _schema(param, visible) for name, param in params.items()},
        "additionalProperties": False,
    }
    if required:
        schema["required"] = list(required)
    return schema


def _schema(param: Param, visible: bool) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": [param.type, "null"] if param.nullable else param.type}
    if param.description and visible:
        schema["description"] = param.description
    if param.enum is not None:
        schema["enum"] = [*param.enum, None] if param.nullable else list(param.enum)
    for field, keyword in _KEYWORDS.items():
        value = getattr(param, field)
        if value is not None:
            schema[keyword] = _whole(value)
    if param.format:
        schema |= (
            visible_format(param.format, param.description, param.pattern) if visible else {"format": param.format}
        )
    if param.items:
        schema["items"] = _schema(param.items, visible)
    if param.properties is not None:
        schema |= _object_schema(param.properties, param.required or (), visible=visible)
        schema["type"] = [param.type, "null"] if param.nullable else param.type
    if param.default is not None and visible:
        schema["default"] = param.default
    return schema


def _whole(value: Any) -> Any:
    """Bounds are floats in the model; `minimum: 1` reads better than 1.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


@cache
def _strict_validator() -> type[jsonschema.Draft202012Validator]:
    base = jsonschema.Draft202012Validator
    types = base.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    # `extend` has no annotations.
    extend: Callable[..., type[jsonschema.Draft202012Validator]] = jsonschema.validators.extend
    checks = {"pattern": _check_pattern, "format": _check_format, "multipleOf": _check_multiple}
    return extend(base, checks, type_checker=types)


def _check_pattern(validator: Any, pattern: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not Pattern.of(pattern).found_in(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _check_multiple(validator: Any, divisor: float, value: Any, schema: Any) -> Iterator[ValidationError]:
    """As the numbers are written: 0.3 is a multiple of 0.1, though not in binary."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    if Fraction(repr(value)) % Fraction(repr(divisor)):
        yield ValidationError(f"{value!r} is not a multiple of {divisor!r}")


def _check_format(validator: Any, name: str, value: Any, schema: Any) -> Iterator[ValidationError]:
    fits, described = FORMATS[name]
    if isinstance(value, str) and not fits(value):
        yield ValidationError(f"{value!r} is not {described}")


def _json_problem(value: Any, depth: int) -> str | None:
    """Why a value cannot be taken from JSON into SQL; None if it can."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return _text_problem(value)
    if isinstance(value, int):
        return None if _SMALLEST <= value <= _LARGEST else "the number is too large"
    if isinstance(value, float):
        return None if math.isfinite(value) else "not a finite number"
    if depth >= _DEEPEST:
        return "nested too deeply"
    if isinstance(value, list | dict) and len(value) > _MOST_ITEMS:
        return f"more than {_MOST_ITEMS:,} items"
    if isinstance(value, list):
        return next(filter(None, (_json_problem(item, depth + 1) for item in value)), None)
    if isinstance(value, dict):
        return next(filter(None, (_entry_problem(key, item, depth) for key, item in value.items())), None)
    return f"{type(value).__name__} is no JSON value"


def _entry_problem(key: Any, value: Any, depth: int) -> str | None:
    if not isinstance(key, str):
        return "keys of objects are texts"
    return _text_problem(key) or _json_problem(value, depth + 1)


def _text_problem(text: str) -> str | None:
    if "\0" in text:
        return "the text holds a NUL character"
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        return "the text is not valid Unicode"
    return None


def _said(error: ValidationError, name: str) -> str:
    where = ".".join(filter(None, (name, *map(str, error.absolute_path))))
    return f"{where}: {_cut(error.message)}" if where else _cut(error.message)


def _cut(text: str) -> str:
    """The text, not too long, without halves of surrogate pairs."""
    shown = text if len(text) <= _LONGEST_MESSAGE else text[:_LONGEST_MESSAGE] + "…"
    return shown if shown.isascii() else shown.encode("utf-8", "backslashreplace").decode()
