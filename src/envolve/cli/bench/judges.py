"""`envolve bench judges`."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envolve.display import percent

from ..judges import kappa_text
from ..output import JsonFlag, interval, print_json, print_table, say, warn
from .showing import figures_json

if TYPE_CHECKING:
    from envolve.agents.judges import Share
    from envolve.bench.judges.base import LabelledCase
    from envolve.bench.judges.suite import JudgeFigures, JudgesFigures

_NOTE = (
    "Labels follow from how an attempt was made; no judge and no verifier has a say in them. The attempts are simulated:"
    " a model's own may be easier or harder to judge. Saying the same again is not being right."
)


def judges(
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JUDGE", help="rules (the default), a model, or module:attr; may be given several times."
        ),
    ] = None,
    count: Annotated[
        int, typer.Option("-n", metavar="N", min=2, help="How many cases; a model reads each twice.")
    ] = 200,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of worlds, tasks and cases.")] = 0,
    as_json: JsonFlag = False,
) -> None:
    """How good judges are, on attempts whose label is known by construction. Rules take less than a minute.

    A model costs what reading 2 N transcripts costs.
    """
    import asyncio

    from envolve.agents.judges import judge_named
    from envolve.bench.judges.cases import labelled_cases
    from envolve.bench.judges.suite import judges_figures

    names = list(dict.fromkeys(judge or ["rules"]))
    asked = [judge_named(name) for name in names]
    started = time.perf_counter()
    warn("making worlds, tasks and cases")
    cases = asyncio.run(labelled_cases(count, seed=seed))
    found = asyncio.run(judges_figures(asked, cases, warn))
    seconds = time.perf_counter() - started
    options = "".join(f" --judge {shlex.quote(name)}" for name in names)
    repeat = f"envolve bench judges{options} -n {count} --seed {seed}"
    if as_json:
        print_json(_json(found, cases, seconds, repeat))
        return
    _show(found, cases)
    say(f"{seconds:.0f} s. Repeat with: {repeat}")


def _json(found: JudgesFigures, cases: Sequence[LabelledCase], seconds: float, repeat: str) -> dict[str, Any]:
    from envolve.bench.judges.figures import rows

    labels = Counter(case.label for case in cases)
    return figures_json(
        "judges",
        rows(found.judges),
        seconds,
        repeat=repeat,
        cases={"met": labels["met"], "not_met": labels["not_met"]},
        judges=[judge.as_json() for judge in found.judges],
        between_judges=found.between.model_dump(mode="json") if found.between else None,
    )


def _show(found: JudgesFigures, cases: Sequence[LabelledCase]) -> None:
    labels = Counter(case.label for case in cases)
    columns = (
        "judge",
        "right",
        "not met: precision",
        "recall",
        "met: precision",
        "recall",
        "cannot tell",
        "flips",
        "cost",
    )
    print_table(
        f"Judges on {labels['met']} met and {labels['not_met']} not met cases (95% by Wilson)",
        columns,
        [_row(judge) for judge in found.judges],
    )
    for judge in found.judges:
        _show_kinds(judge)
    if found.between:
        say(f"Between the judges: {kappa_text(found.between)}")
    say(_NOTE)


def _row(judge: JudgeFigures) -> tuple[str, ...]:
    figures = judge.accuracy
    shares = (
        figures.right,
        figures.not_met.precision,
        figures.not_met.recall,
        figures.met.precision,
        figures.met.recall,
        figures.cannot_tell,
        judge.repeated.flips,
    )
    return (judge.name, *map(_cell, shares), judge.spent.line)


def _cell(share: Share) -> str:
    """`97/100 97% 0.92–0.99`."""
    return f"{share.count}/{share.n} {percent(share.rate)} {interval(share.interval)}" if share.n else "–"


def _show_kinds(judge: JudgeFigures) -> None:
    print_table(
        f"{judge.name}, by how the case was made",
        ("label: how", "n", "met", "not met", "cannot tell", "no ruling"),
        [
            (kind, *(counts[ruling] for ruling in ("n", "met", "not_met", "cannot_tell", "none")))
            for kind, counts in sorted(judge.kinds.items())
        ],
    )
