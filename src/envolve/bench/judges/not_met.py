"""Attempts that do not do what was asked: mistakes, damage besides, work left undone.

A mistake counts where the task's goal, which was written before there was a solution, does not hold in the end, or
where another answer is handed in than gold's. One that ends elsewhere while the goal holds is left out: nobody has
said that it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from envolve.environments.answer_matching import answers_match
from envolve.environments.episode import Episode
from envolve.environments.gold import GoldRun
from envolve.environments.limits import Limits
from envolve.environments.models import PickStep, Submission
from envolve.eval.audit.base import Program
from envolve.eval.audit.choices import SWAPPED, other_arguments, other_rows, other_tools
from envolve.eval.audit.programs import calls, fixed_pick, with_argument, with_step, without

from .base import LabelledCase, Scene, unknown

_NAMES = ("Zephyrine Quillfeather", "Barnabus Oddleigh")
"""Nobody in any world is called so."""
_MOST_MISTAKES = 16


def mistakes(scene: Scene) -> Iterator[LabelledCase]:
    """The audit's trajectory mistakes: a call left out, repeated, with another argument or tool; another row picked."""
    programs = list(_mistaken(scene))
    for kind, program in scene.random.sample(programs, min(_MOST_MISTAKES, len(programs))):
        attempt = scene.attempt(program)
        if attempt.run.ok and _wrong(scene, attempt.run):
            yield scene.labelled(kind, "not_met", attempt.trace)


def damage(scene: Scene) -> Iterator[LabelledCase]:
    """All that was asked for, and the same done to a row that nobody spoke of."""
    context = scene.context
    for index, step in calls(context.task.gold):
        if not context.environment.writes(step.call):
            continue
        for kind, name, value in other_arguments(context, index, step, scene.random):
            if kind != SWAPPED:
                continue
            program = with_step(context.task.gold, index, step, with_argument(step, name, value))
            attempt = scene.attempt(program)
            if attempt.run.ok and attempt.run.signature != context.gold.signature:
                yield scene.labelled("done to another row too", "not_met", attempt.trace)


def stopped_early(scene: Scene) -> Iterator[LabelledCase]:
    """Submitted as done before a write, or before the answer was known."""
    context = scene.context
    stops = [index for index, step in calls(context.task.gold) if context.environment.writes(step.call)]
    if context.task.verifier.answer.kind != "none":
        stops = [len(context.task.gold) - 1]
    for stop in stops:
        attempt = scene.attempt((*context.task.gold[:stop], *_submit(scene, Submission())))
        if _wrong(scene, attempt.run):
            yield scene.labelled("stopped early", "not_met", attempt.trace)


def out_of_calls(scene: Scene) -> Iterator[LabelledCase]:
    """A limit came before the last call."""
    allowed = len(scene.context.gold.steps) - 1
    if allowed:
        yield scene.labelled(
            "out of calls", "not_met", scene.attempt(scene.context.task.gold, limits=Limits(calls=allowed)).trace
        )


def given_up(scene: Scene) -> Iterator[LabelledCase]:
    """Handed in as impossible at once; or, where gold refuses, as done."""
    gold = scene.context.gold.submission
    status = "impossible" if gold is not None and gold.status == "done" else "done"
    answerless = scene.played(lambda episode: _hand_in(episode, status))
    yield scene.labelled("given up at once", "not_met", answerless)


def nothing_worked(scene: Scene) -> Iterator[LabelledCase]:
    """Every call names what is not there; submitted as done."""
    keyed = [
        (step.call, {name: unknown(value) for name, value in step.args.items()})
        for step in scene.context.gold.steps
        if step.args
    ]
    if not keyed or scene.context.task.verifier.submit.status != "done":
        return

    def play(episode: Episode) -> None:
        for call, args in keyed:
            episode.call(call, **args)
        _hand_in(episode, "done")

    yield scene.labelled("no call worked", "not_met", scene.played(play))


def made_up(scene: Scene) -> Iterator[LabelledCase]:
    """All that gold does, and names in the answer that stand nowhere."""
    gold = scene.context.gold.submission
    if gold is None:
        return
    invented = _invented(gold.answer)
    if invented != gold.answer:
        attempt = scene.attempt(
            (*scene.context.task.gold[:-1], *_submit(scene, gold.model_copy(update={"answer": invented})))
        )
        if attempt.run.ok:
            yield scene.labelled("answer made up", "not_met", attempt.trace)


def _mistaken(scene: Scene) -> Iterator[tuple[str, Program]]:
    context, program = scene.context, scene.context.task.gold
    for index, step in calls(program):
        yield "call left out", without(program, index)
        if context.environment.writes(step.call):
            yield "call repeated", with_step(program, index, step, step)
        for tool, args in other_tools(context, step, scene.random):
            yield "another tool", with_step(program, index, step.model_copy(update={"call": tool, "args": args}))
        for kind, name, value in other_arguments(context, index, step, scene.random):
            yield kind, with_step(program, index, with_argument(step, name, value))
    for index, pick in enumerate(program):
        if isinstance(pick, PickStep) and not pick.many:
            for row in other_rows(context, index, pick, scene.random):
                yield "another row picked", with_step(program, index, fixed_pick(pick, row))


def _wrong(scene: Scene, run: GoldRun) -> bool:
    """Whether the goal does not hold, or another answer was handed in."""
    context, gold = scene.context, scene.context.gold.submission
    judged = context.judge(run.after, run.changes, run.submission)
    if judged.problem or gold is None or run.submission is None:
        return False
    exact = context.task.verifier.answer.model_copy(update={"tolerance": 0.0, "accept": ()})
    if exact.kind != "none" and not answers_match(exact, gold.answer, run.submission.answer):
        return True
    return judged.goal is False


def _submit(scene: Scene, submission: Submission) -> Program:
    last = scene.context.task.gold[-1]
    return (last.model_copy(update={"submit": submission}),)


def _hand_in(episode: Episode, status: str) -> None:
    episode.submit(status)


def _invented(answer: Any) -> Any:
    """The answer with every name exchanged for one that nobody has."""
    if isinstance(answer, Mapping):
        return {name: _invented(value) for name, value in answer.items()}
    if isinstance(answer, list):
        return [_NAMES[place % len(_NAMES)] if isinstance(item, str) else item for place, item in enumerate(answer)]
    return _NAMES[0] if isinstance(answer, str) and not any(char.isdigit() for char in answer) else answer
