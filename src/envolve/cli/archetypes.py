"""`envolve archetypes`: what procedural worlds are composed of, and the proof of one of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from .output import JsonFlag, print_json, print_table, say

if TYPE_CHECKING:
    from envolve.agents.procedural.linting import Problem

app = typer.Typer(no_args_is_help=True, help="Archetypes and links, of which procedural worlds are composed.")


@app.command("list")
def listed(as_json: JsonFlag = False) -> None:
    """What there is: entities, tools, workflows, questions, refusals and variants of each."""
    from envolve.agents.procedural.library import library

    source = library()
    parts = {**source.archetypes, **source.links}
    rows = [
        {
            "name": name,
            "kind": "archetype" if name in source.archetypes else "link",
            "about": part.about.strip(),
            **{
                what: len(getattr(part, what))
                for what in ("entities", "tools", "workflows", "questions", "refusals", "policies", "variants")
            },
        }
        for name, part in parts.items()
    ]
    if as_json:
        print_json({"archetypes": rows})
        return
    columns = ("name", "entities", "tools", "workflows", "questions", "refusals", "variants")
    for kind in ("archetype", "link"):
        print_table(
            f"{kind.capitalize()}s", columns, [[row[c] for c in columns] for row in rows if row["kind"] == kind]
        )
    say(f"{len(source.archetypes)} archetypes, {len(source.links)} links. Check one: envolve archetypes check NAME")


@app.command()
def check(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Archetypes and links; all if none is named.")
    ] = None,
    quick: Annotated[bool, typer.Option(help="Only that they render and that their queries run.")] = False,
    worlds: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Worlds of each, with other variants, that are tested and given tasks; if not given, three and as many "
            "more as it takes for each workflow and tool to be in one.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the worlds, their tests and tasks.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Prove archetypes and links: every variant renders and holds its invariants; worlds of them pass the tester's
    gates and the critics' rules; every workflow gives tasks whose audit finds them sound.

    Exit code 1 if anything is wrong.
    """
    from envolve.agents.procedural.library import library
    from envolve.agents.procedural.linting import check_archetypes, check_together
    from envolve.agents.procedural.proving import prove_part
    from envolve.environments.errors import InputError

    source = library()
    known = (*source.archetypes, *source.links)
    if unknown := sorted({*(names or ())} - {*known}):
        raise InputError(f"There is no archetype or link {unknown[0]!r}.", remedy="envolve archetypes list")
    found: list[Problem] = []
    for name in names or known:
        problems = list(check_archetypes(source=source, only=[name]))
        if not problems and not quick:
            problems += prove_part(name, source=source, worlds=worlds, seed=seed)
        found += _told(name, problems, as_json)
    if not names:
        found += _told("all together", check_together(source=source), as_json)
    if as_json:
        print_json({"checked": list(names or known), "problems": [problem._asdict() for problem in found]})
    raise typer.Exit(1 if found else 0)


def _told(name: str, problems: list[Problem], as_json: bool) -> list[Problem]:
    if not as_json:
        say(f"{name}: {f'{len(problems)} wrong' if problems else 'nothing wrong'}")
        for problem in problems:
            say(f"  {problem.place}\n    {problem.message}")
    return problems
