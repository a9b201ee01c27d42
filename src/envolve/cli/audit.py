"""`envolve audit`: are the verifiers right?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.environments.models import AuditReport


def audit(
    paths: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="PATH…", help="Environment packages, folders of them, or runs."),
    ],
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of mutants and alternatives.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Audit the verifier of every task, by execution. Exit code 1 if one is not sound."""
    from envolve.auditing import audit_environment, report_json, summary_of
    from envolve.packages import environments_in

    reports = list["AuditReport"]()
    for path in environments_in(paths):
        of_path = list(audit_environment(path, seed=seed))
        reports += of_path
        if not as_json:
            _show(path, of_path)
    summary = summary_of(reports)
    if as_json:
        print_json({"tasks": [report_json(report) for report in reports], "summary": summary})
    else:
        say(
            f"{summary['sound']} of {len(reports)} verifiers are sound;"
            f" {summary['null_passes']} pass with nothing done."
        )
    raise typer.Exit(0 if summary["sound"] == len(reports) else 1)


def _show(path: Path, reports: list[AuditReport]) -> None:
    from envolve.auditing import failures_of, gates_with

    print_table(
        reports[0].environment if reports else f"{path}: no tasks",
        ("task", "grade", "mutants killed", "other paths passed", "failed", "not run"),
        [
            (
                report.task,
                report.grade,
                f"{report.mutants.killed}/{report.mutants.total}",
                f"{report.alternatives.passed}/{report.alternatives.total}",
                ", ".join(gates_with(report, "failed")),
                ", ".join(gates_with(report, "not_run")),
            )
            for report in reports
        ],
    )
    for report in reports:
        for line in failures_of(report):
            say(f"  {report.task}: {line}")
