"""An attacker that sees the verifier, and wants a pass by the least effort: it hands in at once whatever may pass, and
makes one or two writes with the verifier's own constants."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ....environments.canonical import seed_from
from ....environments.models import Submission, Task
from ....environments.package import Environment
from ...search.base import Found
from ...search.said import said
from ...search.searching import search
from .base import Attempt
from .guesses import guessed_answer

WRITES = 2
"""The most writes that it makes."""
_ANSWERS = 12
_MOST_FOUND = 6
LOOKING = 6.0
"""What a read costs it, in bits: it would rather write."""
_JITTER = 0.5


class Greedy:
    """Knows the verifier; follows neither gold nor the instruction."""

    name = "greedy"

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        left = budget
        for submission in submissions(environment, task, seed):
            # Refusals and answers are right with nothing done: there it is a guess that passes.
            lucky = task.verifier.submit.status != "done" or submission.answer is not None
            left -= 1
            yield Attempt("handed in at once", Found((), submission, False, "").program, lucky=lucky)
        yield from _writing(environment, task, left, seed)


def submissions(environment: Environment, task: Task, seed: int) -> Iterator[Submission]:
    """What may be handed in: each status, each reason, and answers made of what the instruction says."""
    verifier = task.verifier
    yield Submission()
    if verifier.submit.options:
        yield from (Submission(status="refused", reason=reason) for reason in verifier.submit.options)
    else:
        yield Submission(status="refused")
    yield Submission(status="impossible")
    if verifier.answer.kind != "none":
        for answer in _answers(environment, task, Random(seed_from("greedy", seed))):
            yield Submission(answer=answer)


def _answers(environment: Environment, task: Task, random: Random) -> Iterator[Any]:
    told = said(task.instruction, environment.spec.clock)
    values = [*told.texts, *told.names, *told.numbers, *told.days, 0, 1, 2, "yes", "no", "none"]
    tried: list[Any] = []
    for _ in range(_ANSWERS):
        answer = guessed_answer(task.verifier.answer, values, [], random)
        if answer is not None and answer not in tried:
            tried.append(answer)
            yield answer


def _writing(environment: Environment, task: Task, budget: int, seed: int) -> Iterator[Attempt]:
    """Programs of at most two writes that pass, found in half of the budget; they are made again to be judged."""
    found = search(
        environment,
        task,
        budget=budget // 2,
        seed=seed,
        enough=_MOST_FOUND,
        deepest=WRITES,
        looking=LOOKING,
        unseen=True,
        jitter=_JITTER,
    )
    spent = found.spent
    for one in found.found:
        yield Attempt("few writes", one.program, spent=spent)
        spent = 0
