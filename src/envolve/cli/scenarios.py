"""`envolve scenarios`: grow a list of scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envolve.display import counted, shortened

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.scouting import Scouted


def scenarios(
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, help="How many are wanted.")] = 20,
    seeds: Annotated[
        Path | None,
        typer.Option(
            readable=False, metavar="FILE", help="Scenarios to start from (YAML, or one a line); none is repeated."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", readable=False, metavar="FILE", help="A YAML file to write, seeds included.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """New scenarios, spread over categories; near-copies are refused with the neighbour named."""
    import asyncio

    from envolve.agents.scenarios import write_scenarios
    from envolve.scouting import scout
    from envolve.user_files import read_scenarios

    known = read_scenarios(seeds) if seeds else []
    found = asyncio.run(scout(count, known=known, seed=seed))
    if output is not None:
        write_scenarios(output, [*known, *found.admitted])
    if as_json:
        listed = [scenario.model_dump() for scenario in found.admitted]
        print_json({"scenarios": listed, "refused": [entry.as_json() for entry in found.refused]})
    else:
        _show(found, count, output)


def _show(found: Scouted, wanted: int, output: Path | None) -> None:
    rows = [(scenario.name, scenario.category, shortened(scenario.text, 100)) for scenario in found.admitted]
    print_table("", ("name", "category", "text"), rows)
    for scenario, near in found.refused:
        say(f"Refused as a near-copy: {scenario.name} (like {near.id}, distance {near.distance:.2f})")
    short = f" The scout has no more; {wanted} were asked for." if len(found.admitted) < wanted else ""
    written = f", written to {output}" if output else ""
    say(f"{counted(len(found.admitted), 'new scenario')}{written}.{short}")
