"""`envolve check`: tester and critics."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, print_json, say, warn

if TYPE_CHECKING:
    from envolve.checking import Checked, Told

_DOUBT = {False: "its probe shows nothing of it", None: "nothing could be run to show it"}


def check(
    paths: Annotated[
        list[Path],
        typer.Argument(readable=False, metavar="ENV…", help="Environment packages, folders of them, or runs."),
    ],
    critic: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CRITIC", help="A critic: rules (the default), a model, or module:attr; may be repeated."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the fuzzing.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Run the tester's gates and the critics. Exit code 1 if a confirmed finding blocks."""
    import asyncio

    from envolve.checking import check_environment
    from envolve.packages import environments_in

    results, found = list["Checked"](), environments_in(paths)
    for number, path in enumerate(found, 1):
        if len(found) > 1:
            warn(f"{number} of {len(found)}: {path}")
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
    """Findings by the place that they are about, the place with the worst first; doubts apart; coverage last."""
    from envolve.checking import coverage_lines

    say(f"{checked.environment}: {_summary(checked)}")
    for place, told in _by_place(checked.confirmed):
        say(f"\n{place}")
        for each in told:
            _show_finding(each, checked)
    if checked.doubts:
        say("\ndoubts, which do not block")
        for each in checked.doubts:
            _show_doubt(each)
    if checked.told:
        say("")
    for line in coverage_lines(checked.report.coverage):
        say(f"  {line}")


def _summary(checked: Checked) -> str:
    confirmed, blocking, doubts = len(checked.confirmed), len(checked.blocking), len(checked.doubts)
    if not checked.told:
        return "nothing found"
    said = [f"{confirmed} confirmed {'finding' if confirmed == 1 else 'findings'}, {blocking} of them blocking"]
    if doubts:
        said.append(f"{doubts} {'doubt' if doubts == 1 else 'doubts'}")
    return "; ".join(said)


def _by_place(told: Sequence[Told]) -> list[tuple[str, list[Told]]]:
    """The findings of each tool, table or task together, in the order of the first."""
    order = list(dict.fromkeys(_place(each) for each in told))
    ranked = sorted(told, key=lambda each: order.index(_place(each)))
    return [(place, list(group)) for place, group in groupby(ranked, _place)]


def _place(told: Told) -> str:
    return ".".join(told.finding.where.split(".")[:2])


def _show_finding(told: Told, checked: Checked) -> None:
    finding, probe = told
    say(f"  {finding.severity} {finding.kind} at {finding.where} ({finding.source})")
    say(f"    {finding.message}")
    if probe is not None and probe.script:
        say(f"    expected: {probe.expected}")
        say(f"    came: {probe.came}")
        say(f"    {probe.command(str(checked.path), finding.probe.task if finding.probe is not None else None)}")


def _show_doubt(told: Told) -> None:
    finding, probe = told
    say(f"  {finding.severity} {finding.kind} at {finding.where} ({finding.source})")
    say(f"    {finding.message}")
    say(f"    {_DOUBT[finding.confirmed]}{f': {probe.came}' if probe is not None and probe.script else ''}")
