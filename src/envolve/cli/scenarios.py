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
    scout: Annotated[
        str | None,
        typer.Option("--scout", "--model", metavar="MODEL", help="A model that finds them; or procedural."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """New scenarios, spread over categories; near-copies are refused with the neighbour named.

    Exit code 1 if a model failed before all were found; what it had found is kept.
    """
    import asyncio

    from envolve.agents.scenarios import write_scenarios
    from envolve.places import require_file
    from envolve.scouting import grow
    from envolve.teams import team_spec
    from envolve.user_files import read_scenarios

    known = read_scenarios(seeds) if seeds else []
    spec = team_spec(scout=scout)
    if output is not None:
        require_file(output)

    def keep(found: Scouted) -> None:
        if output is not None:
            write_scenarios(output, [*known, *found.admitted])
        if spec.models and not as_json:
            say(f"{len(found.admitted)} of {count}; {found.spent.line}")

    found = asyncio.run(grow(count, known=known, seed=seed, spec=spec, on_found=keep))
    if output is not None and not found.admitted:
        write_scenarios(output, known)
    if as_json:
        listed = [scenario.model_dump() for scenario in found.admitted]
        print_json(
            {
                "scenarios": listed,
                "refused": [entry.as_json() for entry in found.refused],
                **found.spent._asdict(),
                "stopped": found.stopped.message if found.stopped else None,
            }
        )
    else:
        _show(found, count, output)
    raise typer.Exit(1 if found.stopped else 0)


def _show(found: Scouted, wanted: int, output: Path | None) -> None:
    rows = [(scenario.name, scenario.category, shortened(scenario.text, 100)) for scenario in found.admitted]
    print_table("", ("name", "category", "text"), rows)
    for scenario, near in found.refused:
        say(f"Refused as a near-copy: {scenario.name} (like {near.id}, distance {near.distance:.2f})")
    short = _why_fewer(found, wanted) if len(found.admitted) < wanted else ""
    written = f", written to {output}" if output else ""
    say(f"{counted(len(found.admitted), 'new scenario')}{written}.{short}")


def _why_fewer(found: Scouted, wanted: int) -> str:
    if found.stopped is None:
        return f" The scout has no more; {wanted} were asked for."
    return f" {wanted} were asked for, but: {found.stopped.message} → {found.stopped.remedy}".removesuffix(" → ")
