"""Grading a stored rollout again: the end state is made anew from the trace, and another verifier judges it.

The calls of the trace are made once more in a fresh episode of the same seed, with the task as it was then: its faults,
codes and limits come about as they did. Each answer is held against the recorded one. Where one differs the world is
not what it was, and the rollout is not judged. No solver runs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..environments.canonical import canonical_json
from ..environments.changes import ChangeSet
from ..environments.episode import UNREADABLE, Episode
from ..environments.models import CallResult, Rollout, Task, TraceEvent, Verdict
from ..environments.package import Environment
from ..environments.submitting import submit_tool
from ..environments.verification import verifier_broke, verify


class EndState(NamedTuple):
    """What a trace led to."""

    before: bytes
    after: bytes
    changes: ChangeSet


class Divergence(NamedTuple):
    """The first event (from 0) of a trace that does not come out as recorded, and how."""

    event: int
    message: str


class Regraded(NamedTuple):
    """A rollout's verdict then and now; `divergence` is set where it could not be made anew, and `after` is None."""

    rollout: Rollout
    after: Verdict | None
    divergence: Divergence | None = None

    @property
    def flipped(self) -> bool:
        """Whether it passes now and did not, or the other way round, or counts and did not."""
        before = self.rollout.verdict
        return self.after is not None and (before.passed, before.reward) != (self.after.passed, self.after.reward)

    @property
    def changed(self) -> bool:
        """Whether anything about the verdict differs."""
        return self.after is not None and self.after != self.rollout.verdict

    @property
    def differing(self) -> tuple[str, ...]:
        """The checks and changes that make the difference, as sentences."""
        return () if self.after is None else _differences(self.rollout.verdict, self.after)


def shown_alike(old: Task, new: Task) -> bool:
    """Whether a solver is shown the same of both, and meets the same world: only then are rollouts of the one rollouts
    of the other. Gold, goal and grounding are no part of what is shown, nor is what `submit` expects."""
    met = {"instruction", "actor", "setup", "faults", "user"}
    return old.model_dump(include=met) == new.model_dump(include=met) and submit_tool(old.verifier) == submit_tool(
        new.verifier
    )


def regrade(environment: Environment, old: Task, new: Task, rollout: Rollout, *, seed: int) -> Regraded:
    """The verdict of `new`'s verifier on a rollout of `old`, which was run in an episode of `seed`.

    What the provider or the world ended keeps its verdict: no verifier had a say in it.
    """
    if not _was_judged(rollout):
        return Regraded(rollout, rollout.verdict)
    end = replay(environment, old, rollout, seed=seed)
    if isinstance(end, Divergence):
        return Regraded(rollout, None, end)
    trace = rollout.trace
    verdict = verify(
        environment,
        new,
        before=end.before,
        after=end.after,
        changes=end.changes,
        submission=trace.submission,
        limit=None if trace.submission is not None else trace.limit,
    )
    return Regraded(rollout, verdict)


def replay(environment: Environment, task: Task, rollout: Rollout, *, seed: int) -> EndState | Divergence:
    """The end state that the trace's calls lead to, if they all come out as recorded."""
    with environment.play(task, seed=seed) as episode:
        for number, event in enumerate(rollout.trace.events):
            if event.kind != "message" and (problem := _difference(event, _again(episode, event))):
                return Divergence(number, problem)
        return EndState(episode.seed_image(), episode.final_image(), episode.changes())


def _again(episode: Episode, event: TraceEvent) -> CallResult:
    tool, args, _ = event.told
    args, error = args or {}, event.result.error if event.result else None
    if error is not None and error.message.startswith(UNREADABLE) and set(args) == {"unreadable"}:
        return episode.unreadable(tool or "", str(args["unreadable"]))
    if event.shown is None:
        return episode.call_canonical(tool or "", **args)
    return episode.call(tool or "", **args)


def _difference(event: TraceEvent, now: CallResult) -> str:
    """How an answer differs from the recorded one; "" if it does not. Of a call that was refused, the code alone counts:
    what the message quotes of odd arguments is cleaned for the record."""
    then = event.result
    if then is None or (then.error is None and now.error is None and _same(event.told[2], now.value)):
        return ""
    if then.error is not None and now.error is not None and then.error.code == now.error.code:
        return ""
    return f"{event.tool} answered {_shown(then)}, now {_shown(now)}"


def _same(one: Any, other: Any) -> bool:
    return canonical_json(one) == canonical_json(other)


def _shown(result: CallResult) -> str:
    text = f"{result.error.code}: {result.error.message}" if result.error else canonical_json(result.value)
    return text if len(text) <= 120 else f"{text[:119]}…"


def _was_judged(rollout: Rollout) -> bool:
    """Whether a verifier judged it, or broke on it; not where the provider or the world failed."""
    return rollout.verdict.outcome not in ("infra_error", "environment_error") or verifier_broke(rollout.verdict)


def _differences(before: Verdict, after: Verdict) -> tuple[str, ...]:
    held, holds = ({check.name: check.holds for check in verdict.checks} for verdict in (before, after))
    found = [
        f"{name}: {_said(held.get(name))} → {_said(holds.get(name))}"
        for name in dict.fromkeys((*held, *holds))
        if held.get(name) != holds.get(name)
    ]
    found += [f"allowed now: {line}" for line in before.unallowed if line not in after.unallowed]
    found += [f"not allowed now: {line}" for line in after.unallowed if line not in before.unallowed]
    if after.message != before.message:
        found += [f"says: {after.message or 'nothing'}"]
    return tuple(found)


def _said(holds: bool | None) -> str:
    return {True: "holds", False: "fails", None: "no check"}[holds]
