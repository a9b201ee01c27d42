"""A verifier that does not look at all that was asked for: requirements are missing, or more may change.

Planted only where it matters: checks without which some slip of the solution passes. Most checks of a verifier are borne
out by others, and leaving out such a one changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....environments.gold import GoldRun
from ....environments.models import Allow, Task, Verdict, Verifier
from ....environments.package import Environment
from ..base import TaskChange
from ..slips import judged, ran, slips


class _Refused(NamedTuple):
    """A slip that the verifier does not pass."""

    run: GoldRun
    verdict: Verdict


class VerifierWeak:
    kind = "verifier_weak"

    def sites(self, environment: Environment, task: Task) -> Iterator[TaskChange]:
        refused = list(_refused(environment, task))
        for note, verifier in dict(_weaker(environment, task, refused)).items():
            changed = task.model_copy(update={"verifier": verifier})
            if any(judged(environment, changed, slip.run).passed for slip in refused):
                yield TaskChange(f"tasks.{task.id}.verifier", note, changed)


def _refused(environment: Environment, task: Task) -> Iterator[_Refused]:
    for _, program in slips(environment, task):
        run = ran(environment, task, program)
        verdict = judged(environment, task, run) if run.ok else None
        if verdict is not None and not verdict.passed:
            yield _Refused(run, verdict)


def _weaker(environment: Environment, task: Task, refused: list[_Refused]) -> Iterator[tuple[str, Verifier]]:
    """Verifiers without all the checks that a slip fails, as long as something is still looked at, and verifiers that
    let more change."""
    verifier = task.verifier
    for slip in refused:
        failed = {check.name for check in slip.verdict.checks if not check.holds}
        left = tuple(check for check in verifier.require if check.name not in failed)
        named = ", ".join(check.name for check in verifier.require if check.name in failed)
        if named and (left or verifier.answer.kind != "none"):
            yield f"no longer requires: {named}", verifier.model_copy(update={"require": left})
    for index, allow in enumerate(verifier.allow):
        wider = _wider(allow, environment)
        if wider is not None:
            allowed = (*verifier.allow[:index], wider, *verifier.allow[index + 1 :])
            yield f"lets more of {allow.table} change", verifier.model_copy(update={"allow": allowed})


def _wider(allow: Allow, environment: Environment) -> Allow | None:
    """The same permission for every column of the row, or for more rows; None if it cannot grow."""
    if allow.key is not None:
        info = environment.tables()[allow.table]
        columns = tuple(column.name for column in info.columns if not column.key and not column.generated)
        return allow.model_copy(update={"columns": columns}) if set(columns) > set(allow.columns) else None
    limit = allow.insert or allow.delete
    assert limit is not None
    grown = limit.model_copy(update={"max": limit.max + 3})
    return allow.model_copy(update={"insert": grown} if allow.insert is not None else {"delete": grown})
