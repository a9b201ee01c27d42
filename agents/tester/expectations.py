"""Whether what a probe expects of a sound environment holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...environments.errors import InputError
from ...environments.models import Expectation, ProbeCall
from ...environments.verification import StateReader
from .anatomy import Anatomy
from .failures import is_too_heavy, is_unforeseen
from .invariants import Invariants
from .shapes import repeated_items, shape_problem
from .stage import Outcome, Stage


class Scene(NamedTuple):
    """A world after a probe's calls. `reader` shows the states before and after them."""

    anatomy: Anatomy
    stage: Stage
    reader: StateReader
    outcomes: tuple[Outcome, ...]
    calls: tuple[ProbeCall, ...]

    @property
    def last(self) -> Outcome:
        if not self.outcomes:
            raise InputError("The probe expects something of its last call and makes none.")
        return self.outcomes[-1]


def unmet(expected: Expectation, scene: Scene) -> str | None:
    """Why an expectation does not hold; None if it does. Raises SqlProblem for SQL that cannot be run."""
    for field in Expectation.model_fields:
        value = getattr(expected, field)
        if value is not None and field in _CHECKS:
            return _CHECKS[field](value, scene)
    raise InputError("An expectation gives none of its fields.")


def _succeeds(wanted: bool, scene: Scene) -> str | None:
    if scene.last.result.ok == wanted:
        return None
    return f"The last call {_answer(scene)}."


def _fails(codes: Sequence[str], scene: Scene) -> str | None:
    error = scene.last.result.error
    if error is not None and error.code in codes:
        return None
    return f"The last call {_answer(scene)} instead of failing with {' or '.join(codes)}."


def _unchanged(wanted: bool, scene: Scene) -> str | None:
    changed = scene.last.changes
    if bool(changed) != wanted:
        return None
    return f"The last call changed {len(changed)} rows."


def _sql(sql: str, scene: Scene) -> str | None:
    return None if scene.reader.holds(sql) else f"Not true of the states before and after: {sql}"


def _invariants(wanted: bool, scene: Scene) -> str | None:
    broken = [each.name for each in Invariants(scene.anatomy.spec, scene.anatomy.tables).broken(scene.stage)]
    if bool(broken) != wanted:
        return None
    return f"Broken: {', '.join(broken)}." if broken else "No invariant is broken."


def _result(sql: str, scene: Scene) -> str | None:
    rows = result_rows(scene.last.result.value) if scene.last.result.ok else []
    if not rows and not scene.last.result.ok:
        return f"The last call {_answer(scene)}, so there is no result to look at."
    plan = scene.anatomy.environment.plans[scene.calls[-1].call]
    columns = plan.result.columns if plan.result is not None and plan.result.kind != "value" else ("value",)
    table = ", ".join(f"json_extract(value, '$.{name}') AS \"{name}\"" for name in columns)
    query = f"WITH result AS (SELECT key AS rowid, {table} FROM json_each(:result_rows)) SELECT * FROM (\n{sql}\n)"
    holds = scene.reader.holds(query, {"result_rows": json.dumps(rows)})
    return None if holds else f"Not true of the result: {sql}"


def result_rows(value: Any) -> list[Any]:
    """A result as rows."""
    items = value.get("items") if isinstance(value, dict) else None
    return items if isinstance(items, list) else [value]


def _foreseen(wanted: bool, scene: Scene) -> str | None:
    result = scene.last.result
    seen = not (is_unforeseen(result) or is_too_heavy(result))
    return None if seen == wanted else f"The last call {_answer(scene)} ({result.detail})."


def _fits(wanted: bool, scene: Scene) -> str | None:
    plan = scene.anatomy.environment.plans.get(scene.calls[-1].call) if scene.calls else None
    if plan is None or not scene.last.result.ok:
        return None
    value = scene.last.result.value
    problem = shape_problem(plan, value) or ("it repeats an item" if repeated_items(value) else None)
    return None if (problem is None) == wanted else f"The result: {problem}."


def _answer(scene: Scene) -> str:
    error = scene.last.result.error
    return "succeeded" if error is None else f"failed with {error.code}: {error.message}"


_CHECKS: dict[str, Callable[[Any, Scene], str | None]] = {
    "succeeds": _succeeds,
    "fails": _fails,
    "unchanged": _unchanged,
    "sql": _sql,
    "invariants": _invariants,
    "result": _result,
    "foreseen": _foreseen,
    "fits": _fits,
}
