"""From reviews to recall, false alarms, confirmed share and cost, each with Wilson's 95% interval.

A reviewer that failed on a copy has found nothing there (it counts against recall), and is left out of the false
alarms: no answer is never an acceptance. Plants of one environment are alike: the intervals take them for independent,
so the number of environments is told beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from envolve.agents.llm.names import is_model_name
from envolve.bench.figures import Figure, rate_figure
from envolve.costs import unpriced
from envolve.eval.intervals import wilson

from .asking import RULES
from .reviewing import TESTER, Review
from .suite import Outcome, Result

BOTH = f"{TESTER} + {RULES}"
RECALL, ALARMS = 0.90, 0.05
"""Goals for the tester with the rules: recall over self-contradictory plants, and false alarms on clean copies and
decoys, at most."""


class Rate(NamedTuple):
    """`number` of `n`, over copies of so many environments."""

    number: int
    n: int
    environments: int

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.number, self.n)

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "interval": list(self.interval)}


class CriticScore(NamedTuple):
    """One reviewer, or several taken together (any of them finds, any of them alarms)."""

    critic: str
    copies: int
    failed: int
    contradictory: Rate
    others: Rate
    clean: Rate
    decoys: Rate
    confirmed: Rate
    seconds: float
    calls: int
    tokens: int
    cost_usd: float | None
    """None where a model's price is not known."""

    @property
    def found(self) -> int:
        return self.contradictory.number + self.others.number

    def per_bug(self, amount: float | None) -> float | None:
        return amount / self.found if self.found and amount is not None else None

    def as_json(self) -> dict[str, Any]:
        rates = {name: getattr(self, name).as_json() for name in _RATES}
        costs = {name: getattr(self, name) for name in _COSTS}
        each = {f"{name}_per_bug": self.per_bug(amount) for name, amount in costs.items()}
        counts = {"critic": self.critic, "copies": self.copies, "failed": self.failed, "found": self.found}
        return {**counts, **rates, **costs, **each}


_RATES = ("contradictory", "others", "clean", "decoys", "confirmed")
_COSTS = ("seconds", "calls", "tokens", "cost_usd")


class ClassScore(NamedTuple):
    """One class of faults by one reviewer."""

    fault: str
    critic: str
    contradictory: Rate
    others: Rate
    dropped: int


def reviewers(critics: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Who is scored, and whose reviews make it up."""
    return {TESTER: (TESTER,), RULES: (RULES,), BOTH: (TESTER, RULES), **{name: (name,) for name in critics}}


def critic_scores(outcome: Outcome, critics: Sequence[str]) -> list[CriticScore]:
    return [_score(name, parts, outcome.results) for name, parts in reviewers(critics).items()]


def class_scores(outcome: Outcome, faults: Sequence[str], critics: Sequence[str]) -> list[ClassScore]:
    found = []
    for fault in faults:
        planted = [result for result in outcome.results if result.fault == fault]
        dropped = sum(each.fault == fault for each in outcome.dropped)
        for name, parts in reviewers(critics).items():
            found.append(ClassScore(fault, name, *_recalls(planted, parts), dropped))
    return found


def critic_figures(outcome: Outcome, critics: Sequence[str]) -> list[Figure]:
    """The goals first, then every rate of every reviewer, then held-out environments apart."""
    scores = critic_scores(outcome, critics)
    return [*_goals(outcome.results), *_all_rates(scores), *_held_out(outcome.results)]


def hit(result: Result, parts: Sequence[str]) -> bool:
    """Whether any of the reviewers found what was planted."""
    return any(review.hits for review in _of(result, parts))


def alarmed(result: Result, parts: Sequence[str]) -> bool:
    """Whether any of the reviewers would block the copy."""
    return any(review.confirmed for review in _of(result, parts))


def _goals(results: Sequence[Result]) -> Iterator[Figure]:
    parts = (TESTER, RULES)
    contradictory, _ = _recalls(results, parts)
    alarms = _alarms([result for result in results if result.kind != "plant"], parts)
    if contradictory.n:
        name = f"{BOTH}: recall over self-contradictory plants"
        yield rate_figure(name, contradictory.number, contradictory.n, goal=RECALL, better="higher")
    if alarms.n:
        name = f"{BOTH}: false alarms on clean and decoy copies"
        yield rate_figure(name, alarms.number, alarms.n, goal=ALARMS, better="lower")


def _all_rates(scores: Sequence[CriticScore]) -> Iterator[Figure]:
    for score in scores:
        for said, rate in (
            ("recall, self-contradictory", score.contradictory),
            ("recall, for a reader to judge", score.others),
            ("false alarms, clean", score.clean),
            ("false alarms, decoys", score.decoys),
            ("confirmed share of claims", score.confirmed),
        ):
            if rate.n:
                yield rate_figure(f"{score.critic}: {said}", rate.number, rate.n)


def _held_out(results: Sequence[Result]) -> Iterator[Figure]:
    parts = (TESTER, RULES)
    for said, wanted in (("held-out archetypes", True), ("other archetypes", False)):
        here = [result for result in results if result.held_out == wanted]
        contradictory, others = _recalls(here, parts)
        alarms = _alarms([result for result in here if result.kind != "plant"], parts)
        for name, rate in (
            ("recall, self-contradictory", contradictory),
            ("recall, for a reader to judge", others),
            ("false alarms", alarms),
        ):
            if rate.n:
                yield rate_figure(f"{BOTH}, {said}: {name}", rate.number, rate.n)


def _score(name: str, parts: Sequence[str], results: Sequence[Result]) -> CriticScore:
    reviews = [review for result in results for review in _of(result, parts)]
    contradictory, others = _recalls(results, parts)
    claims = Rate(sum(each.confirmed for each in reviews), sum(each.claims for each in reviews), _worlds(results))
    return CriticScore(
        critic=name,
        copies=len(results),
        failed=sum(_failed(result, parts) for result in results),
        contradictory=contradictory,
        others=others,
        clean=_alarms([result for result in results if result.kind == "clean"], parts),
        decoys=_alarms([result for result in results if result.kind == "decoy"], parts),
        confirmed=claims,
        seconds=sum(each.seconds for each in reviews),
        calls=sum(each.calls for each in reviews),
        tokens=sum(each.tokens for each in reviews),
        cost_usd=None
        if unpriced([each for each in parts if is_model_name(each)])
        else sum(each.cost_usd for each in reviews),
    )


def _recalls(results: Sequence[Result], parts: Sequence[str]) -> tuple[Rate, Rate]:
    """Over self-contradictory plants, and over the rest."""
    plants = [result for result in results if result.kind == "plant"]
    sides = [each for each in plants if each.contradicts], [each for each in plants if not each.contradicts]
    one, other = (Rate(sum(hit(each, parts) for each in side), len(side), _worlds(side)) for side in sides)
    return one, other


def _alarms(results: Sequence[Result], parts: Sequence[str]) -> Rate:
    answered = [result for result in results if not _failed(result, parts)]
    return Rate(sum(alarmed(each, parts) for each in answered), len(answered), _worlds(answered))


def _of(result: Result, parts: Sequence[str]) -> list[Review]:
    return [review for review in result.reviews if review.critic in parts]


def _failed(result: Result, parts: Sequence[str]) -> bool:
    return any(review.failed for review in _of(result, parts))


def _worlds(results: Sequence[Result]) -> int:
    return len({result.world for result in results})
