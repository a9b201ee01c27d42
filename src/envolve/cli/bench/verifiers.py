"""`envolve bench verifiers`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..output import JsonFlag, print_json, print_table, say, warn
from .showing import figures_json, show_figures

if TYPE_CHECKING:
    from envolve.bench.verifiers.measuring import EnvironmentResult, WrongVerdict

_SHOWN = 10
_GOALS = "Goals: precision and recall of at least 0.99, and nothing that passes with nothing done."


def verifiers(
    environments: Annotated[int, typer.Option(metavar="N", min=1, help="Worlds, over all categories.")] = 32,
    tasks: Annotated[int, typer.Option(metavar="N", min=1, help="Tasks proposed in each.")] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of worlds, tasks and ends.")] = 2026,
    as_json: JsonFlag = False,
) -> None:
    """Precision and recall of verdicts, against labels that the audit has not used. Takes about five minutes.

    Procedural tasks with sound verifiers are ended right and wrong by operators that the audit does not have; goal and
    gold say which end is which, and the verifier is asked. Ends that they do not decide are left out and counted.
    """
    from envolve.bench.verifiers.figures import verdict_figures, wrong_verdicts

    started = time.perf_counter()
    results = _measured(environments, tasks, seed, started)
    seconds = time.perf_counter() - started
    figures, wrong = verdict_figures(results), wrong_verdicts(results)
    repeat = f"envolve bench verifiers --environments {environments} --tasks {tasks} --seed {seed}"
    if as_json:
        print_json(figures_json("verifiers", figures, seconds, repeat=repeat, **_more(results, wrong)))
        return
    show_figures("Verdicts against labels that the audit has not used", figures)
    _show_operators(results)
    _show_left_out(results)
    _show_wrong(wrong)
    say(f"{_GOALS} Worlds and tasks are procedural: the rates say nothing about tasks that a model wrote.")
    say(f"{seconds:.0f} s. Repeat with: {repeat}")


def _measured(environments: int, tasks: int, seed: int, started: float) -> list[EnvironmentResult]:
    """All results in a fixed order, with a line of progress for each."""
    from envolve.bench.verifiers.measuring import measured

    found: list[EnvironmentResult] = []
    for result in measured(environments, tasks, seed):
        found.append(result)
        wrong = sum(len(task.wrong) for task in result.tasks)
        warn(
            f"{len(found)} of {environments}: {result.environment} ({result.category}), {len(result.tasks)} sound tasks,"
            f" {wrong} wrong verdicts, {time.perf_counter() - started:.0f} s"
        )
    return sorted(found, key=lambda result: result.environment)


def _more(results: Sequence[EnvironmentResult], wrong: Sequence[WrongVerdict]) -> dict[str, Any]:
    from envolve.bench.verifiers.figures import grades, operator_rows, undecided_reasons

    return {
        "environments": [{"id": result.environment, "category": result.category} for result in results],
        "tasks": {"measured": sum(len(result.tasks) for result in results), "grades": grades(results)},
        "operators": [row._asdict() for row in operator_rows(results)],
        "undecided": undecided_reasons(results),
        "wrong_verdicts": [one._asdict() for one in wrong],
    }


def _show_operators(results: Sequence[EnvironmentResult]) -> None:
    from envolve.bench.verifiers.figures import operator_rows

    print_table(
        "Ends by operator; the audit has none of these operators",
        ("label", "operator", "ends", "wrong verdicts", "left out as undecided"),
        [tuple(row) for row in operator_rows(results)],
    )


def _show_left_out(results: Sequence[EnvironmentResult]) -> None:
    from envolve.bench.verifiers.figures import grades, undecided_reasons

    print_table("Ends left out", ("because", "ends"), undecided_reasons(results).items())
    by_grade = grades(results)
    sound = by_grade.pop("sound", 0)
    others = ", ".join(f"{count} {grade}" for grade, count in by_grade.items()) or "none"
    categories = len({result.category for result in results})
    say(f"{len(results)} worlds of {categories} categories, {sound} sound tasks; not measured: {others}.")


def _show_wrong(wrong: Sequence[WrongVerdict]) -> None:
    import json

    if not wrong:
        say("No verdict is wrong.")
        return
    say(f"{len(wrong)} wrong verdicts{f', the first {_SHOWN}' if len(wrong) > _SHOWN else ''} (--json has all):")
    for one in wrong[:_SHOWN]:
        say(f"  {one.environment} {one.task}: {one.label} by {one.operator} ({one.change}), verdict {one.says}")
        say(f"    {json.dumps(one.how, ensure_ascii=False, default=repr)}")
