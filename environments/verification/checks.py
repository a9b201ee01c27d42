"""The checks of a verifier: rows to bind, conditions to hold, what was submitted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..answer_matching import answers_match
from ..models import Answer, CheckResult, ExpectedSubmission, Submission, Verifier
from .reader import StateReader

_NAME = re.compile(r":([a-z][a-z0-9_]*)")


class Bound(NamedTuple):
    """Values of the names that `bind` declares (None where a query did not return exactly one row) and why not."""

    values: dict[str, Any]
    failures: dict[str, str]


def bind(reader: StateReader, verifier: Verifier) -> Bound:
    """Resolve `bind` over the end state that `reader` shows; a query may use other names, in whatever order they
    stand: a file's mapping has none."""
    values: dict[str, Any] = {}
    failures: dict[str, str] = {}
    for name, sql in _used_first(verifier.bind):
        rows = reader.query(sql, values)
        found = len(rows) == 1 and rows[0][0] is not None
        values[name] = rows[0][0] if found else None
        if not found:
            failures[name] = f"{len(rows)} rows instead of one" if len(rows) != 1 else "NULL"
    return Bound(values, failures)


def _used_first(queries: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The named queries, each after those whose names it uses. Of names that use each other, the first comes first."""
    left = dict(queries)
    while left:
        ready = [name for name, sql in left.items() if not (left.keys() - {name}) & set(_NAME.findall(sql))]
        for name in ready or [*left][:1]:
            yield name, left.pop(name)


class StateCheck(NamedTuple):
    """A check on the state. Names are for people and may repeat."""

    name: str
    holds: bool
    detail: str = ""


def state_checks(reader: StateReader, verifier: Verifier, bound: Bound) -> list[StateCheck]:
    """Each `bind` and `require`, in order, over the end state that `reader` shows.

    A condition that uses an unresolved name does not hold, whatever SQL makes of NULL.
    """
    found = [
        StateCheck(f"one {name}", name not in bound.failures, bound.failures.get(name, "")) for name in verifier.bind
    ]
    for check in verifier.require:
        missing = sorted(bound.failures.keys() & set(_NAME.findall(check.sql)))
        if missing:
            found.append(StateCheck(check.name, False, f"{missing[0]} was not found"))
        else:
            found.append(StateCheck(check.name, reader.holds(check.sql, bound.values)))
    return found


def submission_check(expected: ExpectedSubmission, given: Submission | None) -> CheckResult:
    """Whether what was submitted has the expected status, and for refusals the expected reason."""
    if given is None:
        return CheckResult(name="submitted", holds=False, detail="nothing was submitted")
    name = f"submitted as {expected.status}"
    if given.status != expected.status:
        return CheckResult(name=name, holds=False, detail=f"submitted as {given.status}")
    if expected.reason is not None and given.reason != expected.reason:
        return CheckResult(name=name, holds=False, detail=f"reason {given.reason} instead of {expected.reason}")
    return CheckResult(name=name, holds=True)


def answer_check(
    reader: StateReader, answer: Answer, binds: Mapping[str, Any], given: Submission | None
) -> CheckResult:
    """Whether the answer is right. An answer that the end state does not give (no row) cannot be."""
    expected = expected_answer(reader, answer, binds)
    if given is None or given.answer is None:
        return CheckResult(name="answer", holds=False, detail="no answer was given")
    if expected is None:
        return CheckResult(name="answer", holds=False, detail="the end state gives no answer")
    holds = answers_match(answer, expected, given.answer)
    return CheckResult(name="answer", holds=holds, detail="" if holds else f"{expected!r} was expected"[:200])


def expected_answer(reader: StateReader, answer: Answer, binds: Mapping[str, Any]) -> Any:
    """The expected value, from the task or by `sql` over the states; None if `sql` returns nothing.

    List and set: the first column of each row; object: the first row by column name; rows: all rows by column
    name; else the first value.
    """
    if answer.sql is None:
        return answer.value
    if answer.kind in ("object", "rows"):
        records = reader.records(answer.sql, binds)
        return records if answer.kind == "rows" else next(iter(records), None)
    rows = reader.query(answer.sql, binds)
    if answer.kind in ("list", "set"):
        return [row[0] for row in rows]
    return rows[0][0] if rows else None
