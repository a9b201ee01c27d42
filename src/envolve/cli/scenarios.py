"""`envolve scenarios`: grow a list of scenarios."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from .output import JsonFlag, print_json, print_table, say


def scenarios(
    count: Annotated[int, typer.Option("-n", min=1, help="How many are wanted.")] = 20,
    seeds: Annotated[Path | None, typer.Option(help="Scenarios to start from; none is repeated.")] = None,
    output: Annotated[Path | None, typer.Option("-o", help="A YAML file to write.")] = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """New scenarios, spread over categories; near-copies are refused with the neighbour named."""
    from envolve.agents.scenarios import write_scenarios
    from envolve.agents.team import TeamSpec, assemble
    from envolve.memory import embedder_named
    from envolve.memory.scenarios import ScenarioNovelty
    from envolve.options import read_scenario_file

    known = read_scenario_file(seeds) if seeds else []
    offered = asyncio.run(assemble(TeamSpec()).scout.scenarios(count, seed=seed, known=known))
    novelty = ScenarioNovelty(embedder_named())
    novelty.add((scenario.name, scenario.text) for scenario in known)
    admitted, refused = [], []
    for scenario in offered:
        near = novelty.admit(scenario.name, scenario.text)
        if near is None:
            admitted.append(scenario)
        else:
            refused.append({"name": scenario.name, "near": near.id, "distance": near.distance})
    if output is not None:
        write_scenarios(output, [*known, *admitted])
    if as_json:
        print_json({"scenarios": [scenario.model_dump() for scenario in admitted], "refused": refused})
        return
    print_table("", ("name", "category", "text"), [(s.name, s.category, s.text) for s in admitted])
    for entry in refused:
        say(f"Refused as a near-copy: {entry['name']} (like {entry['near']}, distance {entry['distance']})")
    short = "" if len(admitted) >= count else f" The scout has no more than that; {count} were asked for."
    say(f"{len(admitted)} new scenarios{f', written to {output}' if output else ''}.{short}")
