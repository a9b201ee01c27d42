"""`envolve check`: tester and critics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envolve.display import counted, shortened

from .output import JsonFlag, print_json, say, warn

if TYPE_CHECKING:
    from envolve.checking import Checked, Told
    from envolve.environments.models import Finding

MOST_SHOWN = 50
"""Findings of a package that are shown in full; the others are counted by kind."""
_MOST_KINDS = 20
_LONGEST = 1_000
"""Characters of a finding's message."""
_STANDING = {True: "confirmed", False: "doubtful"}
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
    everything: Annotated[
        bool, typer.Option("--all", help=f"Show every finding; without it the worst {MOST_SHOWN}.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Run the tester's gates and the critics. Exit code 1 if a confirmed finding blocks, or a critic fails."""
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
            _show(checked, len(checked.told) if everything else MOST_SHOWN)
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


def _show(checked: Checked, most: int) -> None:
    """Critics that gave no answer; the worst `most` findings by the place that they are about, the place with the worst
    first; doubts apart; the rest by kind; coverage last."""
    from envolve.checking import coverage_lines

    confirmed, doubts = checked.confirmed[:most], checked.doubts[: max(0, most - len(checked.confirmed))]
    say(f"{checked.environment}: {_summary(checked)}")
    if checked.silent:
        say("\ncritics that failed: nothing is known of what they would have found, which blocks")
    for finding in checked.silent:
        say(f"  {shortened(finding.message, _LONGEST)}")
    for place, told in _by_place(confirmed):
        say(f"\n{place}")
        for each in told:
            _show_finding(each, checked)
    if doubts:
        say("\ndoubts, which do not block")
        for each in doubts:
            _show_doubt(each)
    _show_rest([*checked.confirmed[len(confirmed) :], *checked.doubts[len(doubts) :]])
    if checked.told:
        say("")
    for line in coverage_lines(checked.report.coverage):
        say(f"  {line}")


def _show_rest(told: Sequence[Told]) -> None:
    """How many of each kind are not shown; nothing where all are."""
    if not told:
        return
    say(f"\nand {len(told)} more (--all shows them)")
    kinds = Counter((_STANDING[bool(each.finding.confirmed)], _head(each.finding, "")) for each in told)
    for (standing, kind), count in kinds.most_common(_MOST_KINDS):
        say(f"  {count} {standing}: {kind}")
    others = len(kinds) - _MOST_KINDS
    if others > 0:
        say(f"  and {others} kinds more")


def _summary(checked: Checked) -> str:
    confirmed, doubts, silent = len(checked.confirmed), len(checked.doubts), len(checked.silent)
    blocking = len(checked.blocking) - silent
    said = [f"{counted(confirmed, 'confirmed finding')}, {blocking} of them blocking"] if confirmed else []
    said += [counted(doubts, "doubt")] if doubts else []
    return "; ".join([*(said or ["nothing found"]), *([f"{counted(silent, 'critic')} failed"] if silent else [])])


def _by_place(told: Sequence[Told]) -> list[tuple[str, list[Told]]]:
    """The findings of each tool, table or task together, in the order of the first."""
    order = list(dict.fromkeys(_place(each) for each in told))
    ranked = sorted(told, key=lambda each: order.index(_place(each)))
    return [(place, list(group)) for place, group in groupby(ranked, _place)]


def _place(told: Told) -> str:
    return shortened(".".join(told.finding.where.split(".")[:2]), _LONGEST)


def _head(finding: Finding, at: str) -> str:
    """Severity, kind and place on one line, whatever they hold."""
    return shortened(f"{finding.severity} {finding.kind}{at}", _LONGEST)


def _show_head(finding: Finding) -> None:
    say(f"  {_head(finding, f' at {finding.where} ({finding.source})')}")
    say(f"    {shortened(finding.message, _LONGEST)}")


def _show_finding(told: Told, checked: Checked) -> None:
    finding, probe = told
    _show_head(finding)
    if probe is not None and probe.script:
        say(f"    expected: {probe.expected}")
        say(f"    came: {probe.came}")
        say(f"    {probe.command(str(checked.path), finding.probe.task if finding.probe is not None else None)}")


def _show_doubt(told: Told) -> None:
    finding, probe = told
    _show_head(finding)
    ran = probe is not None and (probe.script or finding.confirmed is None)
    why = f": {shortened(probe.came, _LONGEST)}" if probe is not None and ran else ""
    say(f"    {_DOUBT[finding.confirmed]}{why}")
