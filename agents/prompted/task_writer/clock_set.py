"""Columns that a tool filled from the world's clock, found in what gold changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from ....environments.gold import GoldRun
from ....environments.models import Task, Verifier
from ....environments.package import Environment
from ....environments.states import comparison_of

_MINUTE = 60
_LITTLE_LATER = 300
"""Seconds after the world's time within which a moment is taken to be a "now"."""


def clock_set_columns(environment: Environment, run: GoldRun) -> tuple[str, ...]:
    """`table.column` of the compared columns whose value in gold's changes comes from the clock: it moves on by a
    second with each write, so the value is another for every order of calls."""
    start = datetime.fromisoformat(environment.spec.clock)
    writes = sum(environment.writes(call.call) for call in run.steps)
    comparison = comparison_of(environment)
    found = {
        f"{change.table}.{column}": None
        for change in comparison.counted(run.changes.rows)
        for column, value in change.new.items()
        if column not in comparison.ignored[change.table] and _from_clock(value, start, writes)
    }
    return tuple(found)


def clock_advice(environment: Environment, task: Task, run: GoldRun) -> Iterator[str]:
    """What to do about such columns in the task's verifier, and about log tables that it looks at."""
    verifier = task.verifier
    for place in clock_set_columns(environment, run):
        table, _, column = place.partition(".")
        looked_at = ", ".join(_checks_on(verifier, rf"\b{column}\b"))
        if column not in verifier.free.get(table, ()):
            yield (
                f"free: a tool sets {place} from the clock, which is another second for every order of calls; unless "
                f"the person asked about that time, put it into `free` and check nothing about it{_named(looked_at)}"
            )
        elif looked_at:
            yield f"{place} is free and set from the clock: check nothing about it{_named(looked_at)}"
    for log in environment.spec.columns.log:
        looked_at = ", ".join(_checks_on(verifier, rf"\.\W?{log}\b"))
        if looked_at:
            yield f"{log} is a log table, which is never compared: leave it out{_named(looked_at)}"


def _from_clock(value: object, start: datetime, writes: int) -> bool:
    if not isinstance(value, str) or len(value) != 19:
        return False
    try:
        gap = int((datetime.fromisoformat(value) - start).total_seconds())
    except ValueError:
        return False
    # A deadline so many days after now is as many seconds past the minute as now is.
    return 0 <= gap < _LITTLE_LATER or 0 < gap % _MINUTE <= writes


def _checks_on(verifier: Verifier, pattern: str) -> Iterator[str]:
    texts = {**{f"bind {name}": sql for name, sql in verifier.bind.items()}}
    texts |= {f"require {check.name!r}": check.sql for check in verifier.require}
    yield from (place for place, sql in texts.items() if re.search(pattern, sql))


def _named(places: str) -> str:
    return f" ({places})" if places else ""
