"""A defect report, and the probe that reproduces it."""

from __future__ import annotations

from typing import Any, Literal

from .environment import Name
from .frozen import Frozen
from .tasks import Actor
from .tools import ErrorCode

Severity = Literal["blocker", "major", "minor"]


class ProbeCall(Frozen):
    """One tool call of a probe. `actor` absent: the probe's."""

    call: Name
    args: dict[str, Any] = {}
    actor: Actor | None = None


class Expectation(Frozen):
    """What a sound environment would show after the probe's calls. Give one field.

    `succeeds`: the last call succeeds; `fails`: it fails with one of these codes; `unchanged`: no row changed;
    `sql`: true over before.* and after.*; `invariants`: every invariant holds; `result`: true, over a table
    `result` holding the last call's rows and before.*/after.*; `gate`: that tester gate reports nothing for the
    finding's place (for static findings, which need no calls); `foreseen`: the last call ends in no internal error,
    no constraint that no step foresaw, no limit of the runtime; `fits`: its result is of the declared shape.
    """

    succeeds: bool | None = None
    fails: tuple[ErrorCode, ...] | None = None
    unchanged: bool | None = None
    sql: str | None = None
    invariants: bool | None = None
    result: str | None = None
    gate: str | None = None
    foreseen: bool | None = None
    fits: bool | None = None


class Probe(Frozen):
    """Calls by an actor in a fresh world (of `task`, if named), then what should hold. It reproduces the
    finding when an expectation is not met."""

    actor: Actor | None = None
    task: str | None = None
    calls: tuple[ProbeCall, ...] = ()
    expect: tuple[Expectation, ...]


class Finding(Frozen):
    """A claim that something is wrong. `where` is a dotted place (`tools.cancel_booking.steps.1`,
    `schema.bookings`, `tasks.move-the-dinner.gold`). `confirmed` is None until the probe was run."""

    kind: str
    severity: Severity
    where: str
    message: str
    source: str
    """The tester gate or critic that found it: `gate:fuzz`, `critic:rules`."""
    evidence: dict[str, Any] = {}
    probe: Probe | None = None
    confirmed: bool | None = None
