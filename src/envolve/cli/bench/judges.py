"""`envolve bench judges`."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
_READING = """\
right: of the cases that the judge decided
cannot tell: of all cases; neither right nor wrong, but missed in recall
flips: another ruling when the same case is judged a second time"""
_SHOWN: Mapping[str, Callable[[JudgeFigures], Share]] = {
    "right": lambda judge: judge.accuracy.right,
    "not met: precision": lambda judge: judge.accuracy.not_met.precision,
    "not met: recall": lambda judge: judge.accuracy.not_met.recall,
    "met: precision": lambda judge: judge.accuracy.met.precision,
    "met: recall": lambda judge: judge.accuracy.met.recall,
    "cannot tell": lambda judge: judge.accuracy.cannot_tell,
    "no ruling": lambda judge: judge.accuracy.no_ruling,
    "flips": lambda judge: judge.repeated.flips,
}


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

    A model costs what reading 2 N transcripts costs. Exit code 3 if a judge gives no ruling at all.
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
    else:
        _show(found, cases)
        say(f"{seconds:.0f} s. Repeat with: {repeat}")
    silent = any(one.accuracy.no_ruling.count == one.accuracy.n for one in found.judges)
    raise typer.Exit(3 if silent else 0)


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
    print_table(
        f"Judges on {labels['met']} met and {labels['not_met']} not met cases (95% by Wilson)",
        ("figure", "judge", "cases", "rate", "95%"),
        [
            (name, judge.name, f"{share.count}/{share.n}", percent(share.rate), interval(share.interval))
            for name in _SHOWN
            for judge in found.judges
            if (share := _SHOWN[name](judge)).n
        ],
    )
    say(_READING)
    for judge in found.judges:
        _show_kinds(judge)
        _show_failure(judge)
        if judge.spent.tokens:
            say(f"{judge.name}: {judge.spent.line}")
    if found.between:
        say(f"Between the judges: {kappa_text(found.between)}")
    say(_NOTE)


def _show_failure(judge: JudgeFigures) -> None:
    missing = judge.accuracy.no_ruling
    if missing.count:
        say(f"{judge.name} gave no ruling on {missing.count} of {missing.n} cases. The first: {judge.failure}")


def _show_kinds(judge: JudgeFigures) -> None:
    print_table(
        f"{judge.name}, by how the case was made",
        ("label: how", "n", "met", "not met", "cannot tell", "no ruling"),
        [
            (kind, *(counts[ruling] for ruling in ("n", "met", "not_met", "cannot_tell", "none")))
            for kind, counts in sorted(judge.kinds.items())
        ],
    )
