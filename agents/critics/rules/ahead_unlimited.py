"""A write that takes any date ahead, though the policy says how far ahead.

Stands for a forgotten time window: "A booking can be made at most 60 days ahead.", and `make_booking` takes one in a
year. Rule and tool are matched by the words of the tool's name, all of which the rule must have. A call for a day
beyond the window that gets through is the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from ....environments.models import Expectation, Finding, Probe
from ....environments.models.tools import ErrorCode
from ....environments.resolution import ResolvedTool
from ...tester.words import stems_in
from ..reading.base import Context, finding
from ..reading.wording import quantities_in

KIND = "ahead_unlimited"
_AHEAD = re.compile(r"\b(?:at most|no more than|up to)\b([^.;]*)\b(?:ahead|in advance)\b", re.IGNORECASE)
_REFUSED: tuple[ErrorCode, ...] = ("invalid_argument", "conflict", "forbidden")
_BEYOND = (timedelta(days=1), timedelta(days=2), timedelta(days=5))
_FORMS = {"date": "%Y-%m-%d", "date-time": "%Y-%m-%d 10:00:00"}


def check(context: Context) -> Iterator[Finding]:
    for line in context.anatomy.spec.policy.splitlines():
        said = _AHEAD.search(line)
        amounts = set(quantities_in(said[1])) if said is not None else set()
        if len(amounts) == 1:
            window = timedelta(minutes=amounts.pop().number)
            for tool in context.anatomy.tools.values():
                if tool.kind == "write" and set(stems_in(tool.name)) <= set(stems_in(line)):
                    yield from _beyond(context, tool, window, line.strip())


def _beyond(context: Context, tool: ResolvedTool, window: timedelta, line: str) -> Iterator[Finding]:
    dated = [name for name in tool.required if tool.params[name].format in _FORMS]
    if len(dated) != 1:
        return
    name, form = dated[0], _FORMS[str(tool.params[dated[0]].format)]
    for more in _BEYOND:
        moment = datetime.fromisoformat(context.anatomy.spec.clock) + window + more
        trial = context.trials.through(tool, fixed={name: moment.strftime(form)})
        if trial is not None:
            message = f"{tool.name} takes {trial.step.args[name]} as {name}, where the policy says: {line}"
            probe = Probe(calls=(trial.step.probe_call(),), expect=(Expectation(fails=_REFUSED),))
            yield finding(KIND, "major", f"tools.{tool.name}.params.{name}", message, probe=probe)
            return
