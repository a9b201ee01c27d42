"""What reviewers say of one copy, and what of it is so.

A finding hits a plant only if its probe fails on the copy and passes on the original. At most ten findings of a
reviewer are looked at, the first as ranked: by severity, then in the reviewer's own order. Minor findings block
nothing, and count neither as hits nor as alarms. A critic that gives no answer has failed; it has found nothing, and is
never taken for one that finds nothing wrong.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from envolve.agents.critics import FAILED
from envolve.agents.llm.errors import ModelRefused, NoMoreCalls
from envolve.agents.tester import TestReport, confirm, run_gates
from envolve.environments.models import Finding
from envolve.eval.errors import ForeignError, InfraError
from envolve.eval.usage import Usage, metered

from .asking import answer_of
from .audited import Audits, audits_of_original
from .copies import Copy

TESTER = "tester"
MOST = 10
"""Findings of one reviewer on one copy that are looked at."""
_RANK = {"blocker": 0, "major": 1, "minor": 2}


class Review(NamedTuple):
    """One reviewer on one copy. `claims` of them `confirmed` on the copy; `hits`: places of those that also pass on
    the original (of plants only); `kinds`: what the confirmed ones claim; `calls` of tools: the tester's, or those of the
    critic's probes."""

    critic: str
    claims: int = 0
    confirmed: int = 0
    hits: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    failed: str = ""
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    cost_usd: float = 0.0


async def reviewed(copy: Copy, critics: Sequence[str], *, seed: int) -> tuple[Review, ...]:
    """The tester, then each critic, which sees what `envolve check` would show it."""
    there = audits_of_original(copy.original, seed + 1)
    here = Audits(copy.environment, seed + 1, there)
    started = time.perf_counter()
    report = run_gates(copy.environment, seed=seed)
    found = [*report.findings, *here.findings()]
    seconds = time.perf_counter() - started
    tested = _review(TESTER, found, copy, there, Usage())._replace(seconds=seconds, calls=report.coverage.calls)
    reviews = [tested]
    for name in critics:
        reviews.append(await _asked(name, copy, report, there))
    return tuple(reviews)


async def _asked(name: str, copy: Copy, report: TestReport, there: Audits) -> Review:
    started = time.perf_counter()
    with metered() as usage:
        try:
            answer = await answer_of(name, copy.environment, report.compared())
        except (InfraError, ModelRefused, NoMoreCalls, ForeignError) as error:
            return _failed(name, str(error), usage)._replace(seconds=time.perf_counter() - started)
    dead = next((claim for claim in answer.claims if claim.kind == FAILED), None)
    if dead is not None:
        return _failed(name, dead.message, usage)._replace(seconds=answer.seconds)
    started = time.perf_counter()
    confirmed = confirm(copy.environment, _first(answer.claims))
    calls = sum(len(finding.probe.calls) for finding in confirmed if finding.probe is not None)
    seconds = answer.seconds + time.perf_counter() - started
    return _review(name, confirmed, copy, there, usage)._replace(seconds=seconds, calls=calls)


def _review(name: str, findings: Iterable[Finding], copy: Copy, there: Audits, usage: Usage) -> Review:
    claims = _first(findings)
    confirmed = [finding for finding in claims if finding.confirmed]
    passing = [each for each in confirmed if copy.kind == "plant" and there.reproduces(each) is False]
    return Review(
        critic=name,
        claims=len(claims),
        confirmed=len(confirmed),
        hits=tuple(f"{each.kind} at {each.where}" for each in passing),
        kinds=tuple(f"{each.kind} at {each.where}: {each.message}" for each in confirmed),
        tokens=usage.tokens,
        cost_usd=usage.cost_usd,
    )


def _first(findings: Iterable[Finding]) -> list[Finding]:
    """What would block, the most severe first, at most ten."""
    return sorted((each for each in findings if each.severity != "minor"), key=lambda each: _RANK[each.severity])[
        :MOST
    ]


def _failed(name: str, reason: str, usage: Usage) -> Review:
    return Review(name, failed=reason, tokens=usage.tokens, cost_usd=usage.cost_usd)
