"""Whether a probe could come out as it expects in any world at all.

A probe is valid if some world of this schema could meet all its expectations, as far as that can be told from the
definition of the tool that is called last. One that none could meet fails in every world, sound or not, and shows
nothing of this one: expectations that contradict each other; success of a call with an argument that the tool does not
have, without one that it needs or with one of another JSON type, or a code of failure that no such call gets; a change
of rows by a call that fails or by a tool without a write; SQL that gives false whatever the rows are.

Enums, bounds, patterns and roles are left to the world: they may be what is wrong. Nor is SQL weighed beyond a constant
in its first column.
"""

from __future__ import annotations

from collections.abc import Iterator

import jsonschema
from sqlglot import exp

from ...environments.models import Expectation, Probe, ProbeCall
from ...environments.package import Environment
from ...environments.plans import Change
from .trees import parse

_FLAGS = ("succeeds", "unchanged", "invariants", "foreseen")


def impossible(environment: Environment, probe: Probe) -> str | None:
    """Why no world could meet all that the probe expects; None if one could, as far as can be told."""
    return next(_reasons(environment, probe), None)


def _reasons(environment: Environment, probe: Probe) -> Iterator[str]:
    for flag in _FLAGS:
        if {getattr(each, flag) for each in probe.expect} >= {True, False}:
            yield f"The probe expects that {flag!r} is true and that it is false."
    codes = _codes(probe.expect)
    succeeds = any(each.succeeds or each.result is not None for each in probe.expect)
    changes = any(each.unchanged is False for each in probe.expect)
    fails = codes is not None or any(each.succeeds is False for each in probe.expect)
    if fails and succeeds:
        yield "The probe expects the last call to fail, and to succeed or give a result."
    if fails and changes:
        yield "The probe expects the last call to fail, and to change rows."
    if codes is not None and not codes:
        yield "The probe expects the last call to fail with no code that a sound tool fails with."
    for each in probe.expect:
        if any(_is_never_true(sql) for sql in (each.sql, each.result) if sql is not None):
            yield f"The SQL that the probe expects to be true gives false in every world: {each.sql or each.result}"
    if probe.calls:
        yield from _of_call(environment, probe.calls[-1], codes, succeeds=succeeds, changes=changes)


def _codes(expected: tuple[Expectation, ...]) -> set[str] | None:
    """The codes that all expectations leave open; None where none is named."""
    named = [set[str](each.fails) for each in expected if each.fails is not None]
    return set.intersection(*named) - {"internal"} if named else None


def _of_call(
    environment: Environment, call: ProbeCall, codes: set[str] | None, *, succeeds: bool, changes: bool
) -> Iterator[str]:
    wrong = _refused(environment, call)
    if wrong is not None:
        why, refused_with = wrong
        if succeeds or changes:
            yield f"The last call cannot succeed in any world: {why}."
        if codes is not None and not codes & refused_with:
            yield f"The last call fails with {' or '.join(sorted(refused_with))} in every world: {why}."
    plan = environment.plans.get(call.call)
    if changes and plan is not None and not any(isinstance(step, Change) for step in plan.steps):
        yield f"The probe expects {call.call} to change rows, and it has no write."


def _refused(environment: Environment, call: ProbeCall) -> tuple[str, set[str]] | None:
    """What of the call no world takes, and the codes that it is refused with."""
    plan = environment.plans.get(call.call)
    if plan is None:
        return f"there is no tool {call.call!r}", {"not_found"}
    schema = plan.arguments.schema
    known = schema["properties"]
    unknown = next((name for name in call.args if name not in known), None)
    missing = next((name for name in schema.get("required", ()) if name not in call.args), None)
    mistyped = next((name for name, value in call.args.items() if not _is_typed(value, known.get(name, {}))), None)
    if unknown is None and missing is None and mistyped is None:
        return None
    if unknown is not None:
        why = f"{call.call} has no argument {unknown!r}"
    elif missing is not None:
        why = f"{call.call} needs {missing!r}"
    else:
        why = f"{mistyped!r} of {call.call} is of another type"
    return why, {"invalid_argument", "forbidden"}


def _is_typed(value: object, schema: dict[str, object]) -> bool:
    types = {"type": schema["type"]} if "type" in schema else {}
    return bool(jsonschema.Draft202012Validator(types).is_valid(value))


def _is_never_true(sql: str) -> bool:
    """Whether a query's first value is a constant that is not true, whatever the rows are."""
    tree = parse(sql)
    if not isinstance(tree, exp.Select) or not tree.expressions:
        return False
    first = tree.expressions[0].unalias().unnest()
    if isinstance(first, exp.Null):
        return True
    if isinstance(first, exp.Boolean):
        return not first.this
    return isinstance(first, exp.Literal) and not first.is_string and float(first.this) == 0
