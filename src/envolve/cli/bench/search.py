"""`envolve bench search`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envolve.display import percent

from ..output import JsonFlag, interval, print_json, print_table, say, warn
from .showing import figures_json

if TYPE_CHECKING:
    from envolve.bench.figures import Figure
    from envolve.bench.search.measuring import WorldTried

_NOTE = (
    "The solver is simulated and privileged: it reads the verifier, not gold. Its rates show that tasks differ in how far"
    " one has to search; they say nothing about models. Refusals are left out."
)
_READING = (
    "critical path: the longest chain of gold's calls in which each needs what the one before it answered."
    "\nWhere intervals overlap a difference may be chance; more tasks make them narrower."
)
_BUDGETS = "30,100,300,1000"


def search(
    environments: Annotated[int, typer.Option(metavar="N", min=1, help="Worlds, over all categories.")] = 16,
    tasks: Annotated[int, typer.Option(metavar="N", min=1, help="Tasks proposed in each.")] = 8,
    budgets: Annotated[
        str, typer.Option(metavar="N,…", help="Tool calls that the solver may make in clones, by commas.")
    ] = _BUDGETS,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of worlds, tasks and rollouts.")] = 2026,
    as_json: JsonFlag = False,
) -> None:
    """Pass rates of the simulated solver search:BUDGET, by budget and depth of tasks. Takes a few minutes.

    Depth is the calls of gold, and the longest chain of data flow among them. The solver reads the verifier.
    """
    from envolve.bench.search.figures import pass_rates

    wanted, started = _budgets(budgets), time.perf_counter()
    worlds = _measured(environments, tasks, wanted, seed)
    seconds, rates = time.perf_counter() - started, pass_rates(worlds, wanted)
    named = ",".join(map(str, wanted))
    repeat = f"envolve bench search --environments {environments} --tasks {tasks} --budgets {named} --seed {seed}"
    if as_json:
        rows = [figure for by_budget in rates.values() for figure in by_budget.values()]
        print_json(figures_json("search", rows, seconds, repeat=repeat, **_more(worlds, wanted)))
        return
    _show(rates, wanted)
    say(_READING)
    say(_NOTE)
    say(f"{seconds:.0f} s. Repeat with: {repeat}")


def _budgets(text: str) -> list[int]:
    """The budgets in rising order. Raises InputError for what is none."""
    from envolve.agents.solvers import solver_named

    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        solver_named(f"search:{part}")
    return sorted({int(part) for part in parts})


def _measured(environments: int, tasks: int, budgets: Sequence[int], seed: int) -> list[WorldTried]:
    """All results in a fixed order, with a line of progress for each."""
    from envolve.bench.search.measuring import measured

    found: list[WorldTried] = []
    for world in measured(environments, tasks, budgets, seed):
        found.append(world)
        warn(f"{len(found)} of {environments}: {world.environment} ({world.category}), {len(world.tasks)} tasks")
    return sorted(found, key=lambda world: world.environment)


def _show(rates: dict[str, dict[int, Figure]], budgets: Sequence[int]) -> None:
    print_table(
        "Pass rates of search:BUDGET, one rollout a task (95% by Wilson)",
        ("tasks", "n", *(f"search:{budget}" for budget in budgets)),
        [
            (name, by_budget[budgets[0]].n, *(_cell(by_budget[budget]) for budget in budgets))
            for name, by_budget in rates.items()
        ],
    )


def _cell(figure: Figure) -> str:
    """`97% 0.92-0.99`."""
    return f"{percent(figure.value)} {interval(figure.interval)}" if figure.interval else "–"


def _more(worlds: Sequence[WorldTried], budgets: Sequence[int]) -> dict[str, Any]:
    return {
        "solver": {
            "name": "search",
            "kind": "simulated",
            "privileged": "reads the verifier",
            "budgets": list(budgets),
        },
        "environments": [{"id": world.environment, "category": world.category} for world in worlds],
        "tasks": [{"environment": world.environment, **task._asdict()} for world in worlds for task in world.tasks],
        "left_out": sum(world.left_out for world in worlds),
    }
