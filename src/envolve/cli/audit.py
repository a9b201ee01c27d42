"""`envolve audit`: are the verifiers right?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json, print_table, say


def audit(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="Environment packages, folders of them, or runs.")
    ],
    seed: Annotated[int, typer.Option(help="Random seed of mutants and alternatives.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Audit the verifier of every task, by execution. Exit code 1 if one is not sound."""
    from envolve.auditing import audit_environment, summary_of
    from envolve.packages import environments_in

    reports = [report for path in environments_in(paths) for report in audit_environment(path, seed=seed)]
    summary = summary_of(reports)
    if as_json:
        print_json({"tasks": [report.as_json() for report in reports], "summary": summary})
        raise typer.Exit(0 if summary["sound"] == len(reports) else 1)
    print_table(
        "",
        ("environment", "task", "grade", "failed gates", "not run", "mutants", "alternatives"),
        [
            (
                r.environment,
                r.task,
                r.grade,
                r.failed,
                r.not_run,
                f"{r.killed}/{r.mutants}",
                f"{r.accepted}/{r.alternatives}",
            )
            for r in reports
        ],
    )
    for report in reports:
        for line in report.evidence:
            say(f"  {report.task}: {line}")
    say(f"{summary['sound']} of {len(reports)} verifiers are sound; {summary['null_passes']} pass with nothing done.")
    raise typer.Exit(0 if summary["sound"] == len(reports) else 1)
