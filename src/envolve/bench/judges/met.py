"""Attempts that do what was asked: gold, and gold with something harmless besides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from envolve.environments.episode import Episode
from envolve.environments.gold import ExecutedCall
from envolve.environments.models import CallStep
from envolve.eval.audit.programs import arranged, calls
from envolve.eval.audit.trajectories import same_end

from .base import LabelledCase, Scene, unknown

_LOOKS = 4


def gold(scene: Scene) -> Iterator[LabelledCase]:
    yield scene.labelled("gold", "met", scene.attempt(scene.context.task.gold).trace)


def more_reads(scene: Scene) -> Iterator[LabelledCase]:
    """Looking around before and after."""
    context = scene.context
    looks = [
        CallStep(call=name)
        for name, plan in context.environment.plans.items()
        if not plan.writes and not plan.tool.required and plan.admits(context.task.actor.roles)
    ][:_LOOKS]
    if looks:
        *steps, submit = context.task.gold
        yield from _same(scene, "reads added", (*looks, *steps, *looks, submit))


def other_order(scene: Scene) -> Iterator[LabelledCase]:
    """Calls that commute, in another order."""
    order = arranged(scene.context.task.gold, scene.random.choice)
    if order != scene.context.task.gold:
        yield from _same(scene, "another order", order)


def failed_first(scene: Scene) -> Iterator[LabelledCase]:
    """A call of gold's with a key that no row has, which is refused; then gold."""
    for call, args in _misses(scene)[:1]:
        attempt = scene.attempt(scene.context.task.gold, before=partial(_called, call, args))
        if attempt.run.ok and not attempt.trace.events[0].changes and same_end(scene.context, attempt.run):
            yield scene.labelled("a failed call first", "met", attempt.trace)


def failed_last(scene: Scene) -> Iterator[LabelledCase]:
    """Gold, then a call that is refused and changes nothing: one of gold's own, and one of another tool."""
    for kind, misses in (("a failed call last", _misses(scene)), ("another tool failed last", _other_misses(scene))):
        for call, args in misses[:1]:
            trace = scene.played(partial(_gold_then, scene, call, args))
            *_, last, submitted = trace.events
            refused = last.result is not None and not last.result.ok
            if refused and submitted.kind == "submit" and trace.submission is not None:
                yield scene.labelled(kind, "met", trace)


def _called(call: str, args: dict[str, Any], episode: Episode) -> None:
    episode.call(call, **args)


def _gold_then(scene: Scene, call: str, args: dict[str, Any], episode: Episode) -> None:
    task, gold_run = scene.context.task, scene.context.gold
    for step in gold_run.steps:
        episode.call(step.call, **step.args)
    episode.call(call, **args)
    handed_in = gold_run.submission
    if handed_in is not None:
        answer = handed_in.answer if task.verifier.answer.kind != "none" else None
        episode.submit(handed_in.status, handed_in.reason, answer)


def _misses(scene: Scene) -> list[tuple[str, dict[str, Any]]]:
    """Gold's calls, writes first, each with one key that no row has."""
    environment = scene.context.environment
    steps: list[ExecutedCall] = sorted(scene.context.gold.steps, key=lambda step: not environment.writes(step.call))
    return [
        (step.call, {**step.args, name: unknown(value)})
        for step in steps
        for name, value in step.args.items()
        if _is_key(scene, step.call, name)
    ]


def _other_misses(scene: Scene) -> list[tuple[str, dict[str, Any]]]:
    """Writes of tools that gold does not use, with a key that no row has."""
    context = scene.context
    used = {step.call for _, step in calls(context.task.gold)}
    return [
        (name, {plan.tool.required[0]: unknown(0)})
        for name, plan in context.environment.plans.items()
        if plan.writes
        and name not in used
        and plan.admits(context.task.actor.roles)
        and len(plan.tool.required) == 1
        and _is_key(scene, name, plan.tool.required[0])
    ]


def _is_key(scene: Scene, tool: str, name: str) -> bool:
    param = scene.context.environment.params(tool).get(name)
    return param is not None and param.ref is not None


def _same(scene: Scene, kind: str, program: tuple[Any, ...]) -> Iterator[LabelledCase]:
    attempt = scene.attempt(program)
    if attempt.run.ok and same_end(scene.context, attempt.run):
        yield scene.labelled(kind, "met", attempt.trace)
