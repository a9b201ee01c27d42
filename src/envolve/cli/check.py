"""`envolve check`: tester and critics."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.checking import Checked

STATES = {True: "confirmed", False: "doubt", None: "not probed"}


def check(
    paths: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="ENV…", help="Environment packages, folders of them, or runs."),
    ],
    critic: Annotated[
        list[str] | None,
        typer.Option(metavar="CRITIC", help="A critic: rules (the default), or module:attr; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the fuzzing.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Run the tester's gates and the critics. Exit code 1 if a confirmed finding blocks."""
    import asyncio

    from envolve.checking import check_environment
    from envolve.packages import environments_in

    results = list["Checked"]()
    for path in environments_in(paths):
        checked = asyncio.run(check_environment(path, critics=tuple(critic or ["rules"]), seed=seed))
        results.append(checked)
        if not as_json:
            _show(checked)
    if as_json:
        environments = [checked.as_json() for checked in results]
        print_json(
            {
                "findings": [finding for found in environments for finding in found["findings"]],
                "coverage": environments[0]["coverage"] if len(environments) == 1 else None,
                "environments": environments,
            }
        )
    raise typer.Exit(1 if any(checked.blocked for checked in results) else 0)


def _show(checked: Checked) -> None:
    say(f"{checked.environment}: {checked.coverage_line}")
    if not checked.findings:
        say("  nothing found")
        return
    print_table(
        "",
        ("severity", "kind", "where", "message", "probe"),
        [(f.severity, f.kind, f.where, f.message, STATES[f.confirmed]) for f in checked.findings],
    )
    for finding in checked.findings:
        if finding.probe is not None and finding.probe.calls:
            calls = [{"call": call.call, "args": call.args} for call in finding.probe.calls]
            say(f"  {finding.kind} at {finding.where}, for solve --script: {json.dumps(calls)}")
