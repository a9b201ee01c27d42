"""The verdicts that are held against labels."""

from __future__ import annotations

from ...environments.changes import ChangeSet
from ...environments.models import Submission, Task, Verdict
from ...environments.package import Environment
from ...environments.verification import verify
from .base import End, Scene


def verdict_on(environment: Environment, task: Task, end: End) -> Verdict:
    """What the task's verifier says of an end."""
    return verify(
        environment,
        task,
        before=environment.image_for(task),
        after=end.state.image,
        changes=end.state.changes,
        submission=end.submission,
    )


def null_passes(scene: Scene, task: Task) -> list[Submission]:
    """What passes with nothing done, though it must not: `done`, and where the world is to change what gold hands in.
    A refusal is right with nothing done."""
    changes = scene.gold.signature != scene.context.seed_signature
    tried = [Submission(), *([scene.submission] if changes and scene.submission != Submission() else [])]
    nothing = scene.context.state(scene.context.before, ChangeSet())
    return [given for given in tried if verdict_on(scene.environment, task, End(nothing, given)).passed]
