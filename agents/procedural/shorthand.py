"""Short forms: `text(80)?` for columns, `int(1,12)? | How many` for parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ...environments.errors import InputError

_FORM = re.compile(
    r"^(?P<kind>[a-z_]+)(?:\((?P<args>[^)]*)\))?(?P<optional>\?)?(?P<flag>!)?(?:\s*\|\s*(?P<about>.*))?$", re.S
)


class Form(NamedTuple):
    """A parsed short form. `flag` is a trailing `!`."""

    kind: str
    args: tuple[str, ...]
    optional: bool
    flag: bool
    about: str


def parse(text: str) -> Form:
    match = _FORM.match(text.strip())
    if match is None:
        raise InputError(f"not a short form: {text!r}", remedy="Write kind(arguments)? | description.")
    args = tuple(part.strip() for part in (match["args"] or "").split(",") if part.strip())
    return Form(match["kind"], args, bool(match["optional"]), bool(match["flag"]), (match["about"] or "").strip())


def bounds(args: tuple[str, ...], low: int | None = None, high: int | None = None) -> tuple[int | None, int | None]:
    """The bounds that `args` give, else the defaults."""
    return (int(args[0]) if args else low, int(args[1]) if len(args) > 1 else high)


# Columns


class Column(NamedTuple):
    """One column of a table. `sql` is its definition without the name; `ref` the slot it refers to."""

    sql: str
    kind: str
    ref: str | None = None
    optional: bool = False
    values: tuple[str, ...] = ()


def column(name: str, spec: Any, tables: dict[str, str]) -> Column:
    """A column from its short form, also as `{is: form, default: 0}`; or from `{ref: slot, optional: …, unique: …}` or
    `{enum: […]}`, whose values may be `{value: …}`."""
    if isinstance(spec, dict) and "is" in spec:
        plain = column(name, spec["is"], tables)
        return plain._replace(sql=f"{plain.sql} DEFAULT {spec['default']}") if "default" in spec else plain
    if isinstance(spec, str):
        form = parse(spec)
        if form.kind == "ref":
            return _reference({"ref": form.args[0], "optional": form.optional, "unique": form.flag}, tables)
        return _typed(name, form)
    if "ref" in spec:
        return _reference(spec, tables)
    if "enum" in spec:
        return _enum(name, spec)
    raise InputError(f"column {name!r} is neither a short form, nor ref, nor enum: {spec!r}")


def _reference(spec: dict[str, Any], tables: dict[str, str]) -> Column:
    optional = bool(spec.get("optional"))
    null = "" if optional else " NOT NULL"
    unique = " UNIQUE" if spec.get("unique") else ""
    return Column(f"INTEGER{null}{unique} REFERENCES {tables[spec['ref']]} (id)", "ref", spec["ref"], optional)


def _enum(name: str, spec: dict[str, Any]) -> Column:
    values = tuple(str(value["value"] if isinstance(value, dict) else value) for value in spec["enum"])
    optional = bool(spec.get("optional"))
    listed = ", ".join(f"'{value}'" for value in values)
    return Column(
        f"TEXT{'' if optional else ' NOT NULL'} CHECK ({name} IN ({listed}))", "enum", None, optional, values
    )


def _typed(name: str, form: Form) -> Column:
    builder = _BUILDERS.get(form.kind)
    if builder is None:
        raise InputError(
            f"column {name!r} has unknown kind {form.kind!r}", remedy=f"Known: {', '.join(sorted(_BUILDERS))}"
        )
    type_, check = builder(name, form.args)
    null = "" if form.optional else " NOT NULL"
    unique = " UNIQUE" if form.flag or form.kind == "code" else ""
    return Column(f"{type_}{null}{unique}{f' CHECK ({check})' if check else ''}", form.kind, None, form.optional)


def _text(name: str, args: tuple[str, ...]) -> tuple[str, str]:
    return "TEXT", f"length({name}) BETWEEN 1 AND {args[0] if args else 200}"


def _integer(name: str, args: tuple[str, ...]) -> tuple[str, str]:
    low, high = bounds(args)
    if low is not None and high is not None:
        return "INTEGER", f"{name} BETWEEN {low} AND {high}"
    return "INTEGER", "" if low is None else f"{name} >= {low}"


def _money(name: str, args: tuple[str, ...]) -> tuple[str, str]:
    return _integer(name, args or ("0",))


def _moment(name: str, args: tuple[str, ...]) -> tuple[str, str]:
    return "TEXT", f"{name} IS datetime({name})"


_BUILDERS: dict[str, Callable[[str, tuple[str, ...]], tuple[str, str]]] = {
    "text": _text,
    "int": _integer,
    "money": _money,
    "amount": lambda name, args: ("INTEGER", ""),
    "bool": lambda name, args: ("INTEGER", f"{name} IN (0, 1)"),
    "date": lambda name, args: ("TEXT", f"{name} IS date({name})"),
    "datetime": _moment,
    "clock": _moment,
    "time": lambda name, args: ("TEXT", f"{name} IS strftime('%H:%M', {name})"),
    "code": lambda name, args: ("TEXT", ""),
}
"""Kind → SQL type and CHECK. `money` is in minor units; `clock` and `code` are not compared between states."""


# Parameters


def parameter(spec: Any, tables: dict[str, str]) -> tuple[dict[str, Any], bool, str | None]:
    """A parameter as JSON Schema, whether it is required, and the slot it refers to (scoped by ownership).

    `ref(slot)` must exist; a trailing `!` means that ownership does not matter (`ref(what)!`). A form may stand
    under `is`, beside `when`.
    """
    if isinstance(spec, dict) and "is" in spec:
        spec = spec["is"]
    if isinstance(spec, dict):
        spec = dict(spec)
        required = not spec.pop("optional", False)
        slot = spec.pop("slot", None)
        return spec, required, slot
    form = parse(spec)
    if form.kind == "ref":
        schema = {"type": "integer", "description": form.about, "ref": f"{tables[form.args[0]]}.id"}
        return schema, not form.optional, None if form.flag else form.args[0]
    schema = _SCHEMAS[form.kind](form.args)
    return {**schema, "description": form.about}, not form.optional, None


def _ranged(type_: str, args: tuple[str, ...], low: int | None = None, high: int | None = None) -> dict[str, Any]:
    low, high = bounds(args, low, high)
    schema: dict[str, Any] = {"type": type_}
    if low is not None:
        schema["minimum"] = low
    if high is not None:
        schema["maximum"] = high
    return schema


_SCHEMAS: dict[str, Callable[[tuple[str, ...]], dict[str, Any]]] = {
    "text": lambda args: {"type": "string", "minLength": 1, "maxLength": int(args[0]) if args else 200},
    "search": lambda args: {"type": "string", "minLength": 1, "maxLength": int(args[0]) if args else 80},
    "int": lambda args: _ranged("integer", args),
    "money": lambda args: _ranged("integer", args, 1, 100_000_000),
    "bool": lambda args: {"type": "boolean"},
    "date": lambda args: {"type": "string", "format": "date"},
    "datetime": lambda args: {"type": "string", "format": "date-time"},
    "time": lambda args: {"type": "string", "format": "time"},
    "enum": lambda args: {"type": "string", "enum": list(args)},
}
