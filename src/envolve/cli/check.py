"""`envolve check`: tester and critics."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.environments.models import Finding

ORDER = {"blocker": 0, "major": 1, "minor": 2}


def check(
    paths: Annotated[list[Path], typer.Argument(metavar="ENV…", help="Environment packages, or folders of them.")],
    critic: Annotated[list[str] | None, typer.Option(help="A critic; may be repeated (default: rules).")] = None,
    seed: Annotated[int, typer.Option(help="Random seed of the fuzzing.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Run the tester's gates and the critics. Exit code 1 if a confirmed finding blocks."""
    from envolve.checking import check_environment
    from envolve.packages import environments_in

    results = list[dict[str, Any]]()
    blocked = False
    for path in environments_in(paths):
        checked = asyncio.run(check_environment(path, critics=tuple(critic or ["rules"]), seed=seed))
        blocked |= checked.blocked
        results.append(checked.as_json())
        if not as_json:
            _show(checked.environment, sorted(checked.findings, key=_rank), checked.coverage_line)
    if as_json:
        one = results[0] if len(results) == 1 else {"findings": [found for r in results for found in r["findings"]]}
        print_json({**one, "environments": results})
    raise typer.Exit(1 if blocked else 0)


def _rank(finding: Finding) -> tuple[bool, int, str, str]:
    return (not finding.confirmed, ORDER[finding.severity], finding.kind, finding.where)


def _show(environment: str, findings: list[Finding], coverage: str) -> None:
    say(f"{environment}: {coverage}")
    if not findings:
        say("  nothing found")
        return
    states = {True: "confirmed", False: "doubt", None: "not probed"}
    print_table(
        "",
        ("severity", "kind", "where", "message", "probe"),
        [(f.severity, f.kind, f.where, f.message, states[f.confirmed]) for f in findings],
    )
    for finding in findings:
        if finding.probe is not None and finding.probe.calls:
            calls = [{"call": call.call, "args": call.args} for call in finding.probe.calls]
            say(f"  {finding.kind} at {finding.where}, for solve --script: {json.dumps(calls)}")
