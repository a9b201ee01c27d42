"""From the claims of a model to findings: a probe counts only if the tester can run it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.errors import InputError
from ....environments.models import Actor, Expectation, Finding, Probe, ProbeCall
from ....environments.package import Environment
from ...tester.probes import run_probe
from ..clipping import clipped, one_line
from .drafts import ActorDraft, ClaimDraft, ProbeDraft

_MOST_CALLS = 30
_LONGEST_MESSAGE = 1_000
_LONGEST_PLACE = 160
_LONGEST_KIND = 40


def probe_problems(environment: Environment, claim: ClaimDraft) -> list[str]:
    """Why a claim's probe cannot be run, each with its place in the claim; empty if it can."""
    draft = claim.probe
    if draft is None:
        return ["probe: missing; give calls and what a sound environment would show after them"]
    found = list(_problems(environment, draft))
    if not found:
        # The tester's own runner has the last word: it prepares the SQL and looks at what there is to look at.
        result = run_probe(environment, _probe(draft))
        found = [] if result.valid else [f"probe: {result.why}"]
    return [clipped(one_line(problem), 400) for problem in found]


def finding_of(environment: Environment, claim: ClaimDraft, *, critic: str, aspect: str) -> Finding:
    """The claim as a finding: with its probe if that can be run, else as a doubt."""
    problems = probe_problems(environment, claim)
    return Finding(
        kind=re.sub(r"[^a-z0-9]+", "_", claim.kind.lower()).strip("_")[:_LONGEST_KIND] or "unnamed",
        severity=claim.severity,
        where=clipped(one_line(claim.where), _LONGEST_PLACE),
        message=clipped(one_line(claim.message), _LONGEST_MESSAGE),
        source=f"critic:{critic}",
        evidence={"aspect": aspect} | ({"no_probe": problems[0]} if problems else {}),
        probe=None if problems or claim.probe is None else _probe(claim.probe),
    )


def _problems(environment: Environment, draft: ProbeDraft) -> Iterator[str]:
    if draft.task is not None and draft.task not in environment.tasks:
        yield f"probe.task: there is no task {draft.task!r}; tasks: {', '.join(environment.tasks) or 'none'}"
        return
    yield from _expectation_problems(draft)
    if len(draft.calls) > _MOST_CALLS:
        yield f"probe.calls: {len(draft.calls)} calls; at most {_MOST_CALLS}"
        return
    yield from _actor_problems(environment, draft, draft.actor, "probe.actor")
    for index, call in enumerate(draft.calls):
        place = f"probe.calls[{index}]"
        yield from _actor_problems(environment, draft, call.actor, f"{place}.actor")
        plan = environment.plans.get(call.call)
        if plan is None:
            yield f"{place}.call: there is no tool {call.call!r}; tools: {', '.join(environment.plans)}"
            continue
        known = plan.definition["inputSchema"]["properties"]
        for name in call.args:
            if name not in known:
                yield f"{place}.args: {call.call} has no argument {name!r}; it has: {', '.join(known) or 'none'}"


def _expectation_problems(draft: ProbeDraft) -> Iterator[str]:
    if not draft.expect:
        yield "probe.expect: empty; say what a sound environment would show"
    for index, expected in enumerate(draft.expect):
        given = expected.model_dump(exclude_none=True)
        if not given:
            yield f"probe.expect[{index}]: no key is given"
        elif not draft.calls and set(given) - {"sql", "invariants"}:
            yield f"probe.expect[{index}]: {', '.join(given)} looks at the last call, and there is none"


def _actor_problems(
    environment: Environment, draft: ProbeDraft, actor: ActorDraft | None, place: str
) -> Iterator[str]:
    if actor is None:
        return
    try:
        environment.kit.check_actor(_actor(actor), environment.task(draft.task))
    except (InputError, ValueError) as error:
        yield f"{place}: {error}"


def _actor(draft: ActorDraft) -> Actor:
    return Actor(roles=tuple(draft.roles), id=draft.id)


def _probe(draft: ProbeDraft) -> Probe:
    return Probe(
        actor=_actor(draft.actor) if draft.actor else None,
        task=draft.task,
        calls=tuple(
            ProbeCall(call=call.call, args=call.args, actor=_actor(call.actor) if call.actor else None)
            for call in draft.calls
        ),
        expect=tuple(
            Expectation(**{key: value})
            for expected in draft.expect
            for key, value in expected.model_dump(exclude_none=True).items()
        ),
    )
