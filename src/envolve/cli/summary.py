"""A run's numbers as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from envolve.costs import AWM_USD, Costs, costs_of, unpriced
from envolve.display import one_line, percent
from envolve.standing import TaskLine, is_simulated, note_of, packaged, rates_of, set_aside

from .output import interval, print_table, say

if TYPE_CHECKING:
    from envolve.graph.config import RunConfig
    from envolve.memory.store import RunStore
    from envolve.memory.store.queries import Status


MOST_SET_ASIDE = 20


def print_summary(status: Status, store: RunStore, folder: Path, config: RunConfig) -> None:
    """Environments, how the confirmed tasks do for each solver, what became of the others, and what it cost."""
    if status.environments:
        print_table(
            "Environments",
            ("environment", "scenario", "tables", "tools", "rows", "proposed", "in package", "confirmed"),
            [
                (
                    *(line.id, line.scenario, line.tables, line.tools, line.rows, line.tasks),
                    packaged(store, folder, line.id),
                    line.in_band,
                )
                for line in status.environments
            ],
        )
    for line in status.environments:
        if note := note_of(folder, line.id):
            say(f"{line.id}: {note}")
    rates = rates_of(store)
    if rates:
        print_table(
            f"Pass rates on confirmed tasks (band {config.band} for {config.target})",
            ("solver", "passes", "rollouts", "rate", "95%", ""),
            [
                (
                    rate.solver,
                    rate.passes,
                    rate.n,
                    percent(rate.rate),
                    interval((rate.low, rate.high)),
                    "simulated" if is_simulated(rate.solver) else "",
                )
                for rate in rates
            ],
        )
    for entry in set_aside(store)[:MOST_SET_ASIDE]:
        reason = f", {one_line(entry.reason)}" if entry.reason else ""
        say(f"Not kept: {entry.kind} {one_line(entry.subject)}: {entry.fate.replace('_', ' ')}{reason}")
    say(f"Tasks: {funnel(status)}; not kept: {fates(status)}.{pairs(status)}")
    say(spent(status))
    print_costs(costs_of(store, status))
    for name in unpriced(config.models):
        say(f"No price of {name} is known: what it cost counts as nothing here (ENVOLVE_PRICES can name a list).")


def print_costs(costs: Costs) -> None:
    """What models were paid for; nothing where none was asked."""
    if not costs.build_tokens + costs.measure_tokens:
        return
    print_table(
        "Models, by role",
        ("role", "by", "steps", "tokens", "cost"),
        [
            (told(role.role), role.implementation, role.steps, role.tokens, dollars(role.cost_usd))
            for role in costs.roles
        ],
    )
    say(
        f"Building cost {dollars(costs.build_usd)}: {dollars(costs.per_environment_usd)} an environment,"
        f" {dollars(costs.per_admitted_task_usd)} an admitted task; with measuring ({dollars(costs.measure_usd)})"
        f" {dollars(costs.per_in_band_task_usd)} a task in the band."
    )
    if costs.hundred_environments_usd:
        say(
            f"100 environments would cost {dollars(costs.hundred_environments_usd)} at this rate (n ="
            f" {costs.environments}); AWM reports {dollars(AWM_USD)} for 100 by GPT-5 (quoted)."
        )


def dollars(cost: float | None) -> str:
    """`$1.20`, `$0.0013`, or a dash for none."""
    if cost is None:
        return "–"
    return f"${cost:.2f}" if cost >= 0.1 or not cost else f"${cost:.4f}"


def print_tasks(lines: Sequence[TaskLine]) -> None:
    """A table an environment: its tasks with the target's latest pass rate."""
    for environment in dict.fromkeys(line.environment for line in lines):
        print_table(
            f"Tasks of {environment}",
            ("task", "stage", "fate", "rate", "n", "95%"),
            [
                (
                    f"  twin: {line.task}" if line.twin_of else line.task,
                    line.stage,
                    told(line.fate or "in play"),
                    percent(line.rate),
                    line.n,
                    interval(line.interval),
                )
                for line in lines
                if line.environment == environment
            ],
        )


def told(name: str) -> str:
    """A fate or outcome as words."""
    return name.replace("_", " ")


def funnel(status: Status) -> str:
    tasks = status.tasks
    return (
        f"{tasks.proposed} proposed → {tasks.audited} audited → {tasks.accepted} accepted"
        f" → {tasks.confirmed} confirmed"
    )


def pairs(status: Status) -> str:
    """What the counts take as one; "" where there are no refusals."""
    n = status.tasks.pairs
    return f" {n} of them {'is' if n == 1 else 'are'} a refusal with its twin, counted as one." if n else ""


def fates(status: Status) -> str:
    return ", ".join(f"{n} {fate.replace('_', ' ')}" for fate, n in status.tasks.rejected.items()) or "none"


def spent(status: Status) -> str:
    return (
        f"{status.rollouts} rollouts, ${status.cost_usd:.2f}, {status.tokens} tokens, {status.seconds:.0f} s;"
        f" {status.state}."
    )
