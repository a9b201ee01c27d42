"""`envolve audit`: are the verifiers right?"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, print_json, print_table, say, warn

if TYPE_CHECKING:
    from envolve.environments.models import AuditReport

MOST_ATTACK_CALLS = 100_000
"""The largest budget of an attacker, as of the searching solver."""
TOLD_AFTER = 2.0
"""Seconds after which it is told which task is audited; at once where attackers have more calls than by default."""


def audit(
    paths: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="PATH…", help="Environment packages, folders of them, or runs."),
    ],
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of mutants and alternatives.")] = 0,
    attacker: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ATTACKER", help="Attacks each verifier: a model, or module:attr. Several may be given."
        ),
    ] = None,
    attack_calls: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=MOST_ATTACK_CALLS,
            help="Tool calls that each attacker may make (default 60); 0: attacks are not run.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Audit the verifier of every task, by execution. Exit code 1 if one is not sound."""
    from envolve.attacking import attackers_named, spent_on
    from envolve.auditing import audit_environment, report_json, summary_of
    from envolve.environments.package import Environment
    from envolve.eval.audit.auditing import ATTACK_CALLS
    from envolve.eval.usage import metered
    from envolve.packages import environments_in

    from .frozen import warn_of_edits

    attackers = attackers_named(attacker or ())
    budget = ATTACK_CALLS if attack_calls is None else attack_calls
    reports, tell = list["AuditReport"](), _teller(TOLD_AFTER if budget <= ATTACK_CALLS else 0.0)
    with metered() as usage:
        for path in environments_in(paths):
            warn_of_edits(path, Environment.load(path))
            audits = audit_environment(path, seed=seed, attackers=attackers, attack_calls=budget, on_task=tell)
            of_path = list(audits)
            reports += of_path
            if not as_json:
                _show(path, of_path)
    summary, spent = summary_of(reports), spent_on(attackers, usage)
    if as_json:
        costs = spent._asdict() if attackers else {}
        print_json({"tasks": [report_json(report) for report in reports], "summary": summary | costs})
    else:
        say(
            f"{summary['sound']} of {len(reports)} verifiers are sound;"
            f" {summary['null_passes']} pass with nothing done."
        )
        if attackers:
            say(f"Attacks: {spent.line}")
    raise typer.Exit(0 if summary["sound"] == len(reports) else 1)


def _teller(after: float) -> Callable[[str, int, int], None]:
    """Says on standard error which task is audited, once the audit takes longer than `after` seconds."""
    started = time.monotonic()

    def tell(task: str, number: int, tasks: int) -> None:
        passed = time.monotonic() - started
        if passed >= after:
            warn(f"{task}: {number} of {tasks} tasks, {passed:.0f} s so far")

    return tell


def _show(path: Path, reports: list[AuditReport]) -> None:
    from envolve.auditing import failures_of, gates_with, not_run

    print_table(
        reports[0].environment if reports else f"{path}: no tasks",
        ("task", "grade", "mutants killed", "other paths passed", "attacks succeeded", "failed", "not run"),
        [
            (
                report.task,
                report.grade,
                f"{report.mutants.killed}/{report.mutants.total}",
                f"{report.alternatives.passed}/{report.alternatives.total}",
                f"{report.attacks.passed}/{report.attacks.total}",
                ", ".join(gates_with(report, "failed")),
                ", ".join(gates_with(report, "not_run")),
            )
            for report in reports
        ],
    )
    for report in reports:
        for line in failures_of(report):
            say(f"  {report.task}: {line}")
    for reason, gates in not_run(reports).items():
        say(f"  not run: {', '.join(gates)}: {reason}")
    if reports:
        say("")
