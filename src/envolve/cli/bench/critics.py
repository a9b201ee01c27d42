"""`envolve bench critics`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..output import JsonFlag, print_json, print_table, say, warn
from .showing import figures_json, show_figures

if TYPE_CHECKING:
    from envolve.bench.critics.scoring import ClassScore, CriticScore, Rate
    from envolve.bench.critics.suite import Options, Outcome, Result

_READING = (
    "Self-contradictory: a text, an invariant, a goal or a name of the package says otherwise, by a rule fixed at"
    " planting; the rest is for a reader to judge. Intervals take plants for independent, which those of one environment"
    " are not."
)


def critics(
    critic: Annotated[
        list[str] | None,
        typer.Option(metavar="CRITIC", help="One more critic, e.g. openai:MODEL or module:attr; may be repeated."),
    ] = None,
    environments: Annotated[int, typer.Option(metavar="N", min=1, help="Sound environments.")] = 6,
    plants: Annotated[
        int, typer.Option(metavar="N", min=1, help="Plants of each class, and decoys of each kind.")
    ] = 4,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of environments, plants and tests.")] = 0,
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="CLASS", help="Only this class of faults or decoys; may be repeated."),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Worker processes.")] = 2,
    html: Annotated[Path | None, typer.Option(metavar="FILE", dir_okay=False, help="Write a page as well.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """What tester and critics find of known faults, and how often they flag what is sound.

    By default about ten minutes of processor time, shared by the jobs: four seconds for each of 138 copies.

    Plants one fault of 25 classes in each of many copies of sound procedural environments. A finding counts if its
    probe fails on the copy and passes on the original; decoys and clean copies measure false alarms.
    """
    from envolve.bench.critics.asking import check_critics
    from envolve.bench.critics.suite import Options, run
    from envolve.environments.errors import InputError

    if html is not None and not html.parent.is_dir():
        raise InputError(f"{html}: there is no folder {html.parent}.", remedy="Make it, or choose another file.")
    others = tuple(name for name in dict.fromkeys(critic or ()) if name != "rules")
    check_critics(others)
    faults, decoys = _wanted(fault)
    options = Options(environments, plants, seed, others, faults, decoys, jobs=jobs)
    started = time.perf_counter()
    outcome = run(options, lambda text: warn(f"{text}, {time.perf_counter() - started:.0f} s"))
    _tell(outcome, options, time.perf_counter() - started, html, as_json=as_json)


def _wanted(names: Sequence[str] | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Classes of faults and of decoys: those named, else all. Raises InputError for a name that is neither."""
    from envolve.agents.faults import DECOY_KINDS
    from envolve.bench.critics.suite import FAULTS
    from envolve.environments.errors import InputError

    known = (*FAULTS, *DECOY_KINDS)
    unknown = next((name for name in names or () if name not in known), None)
    if unknown is not None:
        raise InputError(f"There is no class of faults {unknown!r}.", remedy=f"Classes: {', '.join(known)}.")
    wanted = names or known
    return tuple(name for name in FAULTS if name in wanted), tuple(name for name in DECOY_KINDS if name in wanted)


def _tell(outcome: Outcome, options: Options, seconds: float, html: Path | None, *, as_json: bool) -> None:
    from envolve.bench.critics.page import write_page
    from envolve.bench.critics.scoring import critic_figures

    figures = critic_figures(outcome, options.critics)
    told = figures_json("critics", figures, seconds, repeat=_repeat(options), **_more(outcome, options))
    if html is not None:
        write_page(html, told)
        warn(f"{html} is written.")
    if as_json:
        print_json(told)
        return
    _show(outcome, options)
    show_figures("Goals", [figure for figure in figures if figure.goal is not None])
    say(_READING)
    say(f"{seconds:.0f} s. Repeat with: {_repeat(options)}")


def _repeat(options: Options) -> str:
    from envolve.agents.faults import DECOY_KINDS
    from envolve.bench.critics.suite import FAULTS

    wanted = (*options.faults, *options.decoys)
    faults = [f"--fault {name}" for name in wanted] if wanted != (*FAULTS, *DECOY_KINDS) else []
    counts = f"--environments {options.environments} --plants {options.plants} --seed {options.seed}"
    return " ".join(["envolve bench critics", counts, *(f"--critic {name}" for name in options.critics), *faults])


def _more(outcome: Outcome, options: Options) -> dict[str, Any]:
    from envolve.bench.critics.scoring import class_scores, critic_scores
    from envolve.bench.critics.worlds import HELD_OUT

    return {
        "critics": [score.as_json() for score in critic_scores(outcome, options.critics)],
        "classes": [
            {
                **score._asdict(),
                "contradictory": score.contradictory.as_json(),
                "others": score.others.as_json(),
            }
            for score in class_scores(outcome, options.faults, options.critics)
        ],
        "copies": [_copy_json(result) for result in outcome.results],
        "dropped": [dropped._asdict() for dropped in outcome.dropped],
        "held_out": list(HELD_OUT),
    }


def _copy_json(result: Result) -> dict[str, Any]:
    return {**result._asdict(), "reviews": [review._asdict() for review in result.reviews]}


def _show(outcome: Outcome, options: Options) -> None:
    from envolve.bench.critics.scoring import class_scores, critic_scores

    scores = critic_scores(outcome, options.critics)
    print_table(
        "Found, of plants",
        ("reviewer", "self-contradictory", "for a reader", "environments", "failed"),
        [
            (
                score.critic,
                _rate(score.contradictory),
                _rate(score.others),
                score.contradictory.environments,
                score.failed,
            )
            for score in scores
        ],
    )
    print_table(
        "False alarms, and claims that their probes confirm",
        ("reviewer", "clean copies", "decoys", "claims confirmed"),
        [(score.critic, _rate(score.clean), _rate(score.decoys), _rate(score.confirmed)) for score in scores],
    )
    print_table(
        "Cost of each fault found",
        ("reviewer", "found", "calls", "seconds", "tokens", "dollars"),
        [_costs(score) for score in scores],
    )
    _show_classes(class_scores(outcome, options.faults, options.critics))


def _show_classes(scores: Sequence[ClassScore]) -> None:
    """By class: the tester with the rules, and the others' counts."""
    from envolve.bench.critics.scoring import BOTH

    by_class: dict[str, dict[str, ClassScore]] = {}
    for score in scores:
        by_class.setdefault(score.fault, {})[score.critic] = score
    others = [name for name in next(iter(by_class.values()), {}) if name != BOTH]
    print_table(
        f"By class: {BOTH}, then each alone (of all plants); dropped: no difference was seen",
        ("class", "self-contradictory", "for a reader", *others, "dropped"),
        [
            (
                fault,
                _rate(here[BOTH].contradictory),
                _rate(here[BOTH].others),
                *(_together(here[name]) for name in others),
                here[BOTH].dropped,
            )
            for fault, here in by_class.items()
        ],
    )


def _rate(rate: Rate) -> str:
    if not rate.n:
        return "–"
    low, high = rate.interval
    return f"{rate.number}/{rate.n} ({low:.2f}–{high:.2f})"


def _together(score: ClassScore) -> str:
    return f"{score.contradictory.number + score.others.number}/{score.contradictory.n + score.others.n}"


def _costs(score: CriticScore) -> tuple[str, ...]:
    amounts = (score.per_bug(amount) for amount in (score.calls, score.seconds, score.tokens, score.cost_usd))
    told = ["–" if amount is None else f"{amount:.4g}" for amount in amounts]
    return (score.critic, str(score.found), *told)
