"""What operators share: the task without what its verifier holds for right, gold's run, and calls played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from types import TracebackType
from typing import Any, Literal, NamedTuple, Protocol

from ...environments.canonical import seed_from
from ...environments.gold import GoldRun
from ...environments.limits import Limits
from ...environments.models import ExpectedSubmission, Submission, Task, Verifier
from ...environments.package import Environment
from ...environments.plans import Plan
from ..audit.base import AuditContext, Program
from ..audit.edits import EndState

Aim = Literal["right", "wrong"]
CALL_FAILED = "a call failed"
BREAKS = {"constraint": "breaks a constraint", "invariant": "breaks an invariant"}
"""Why an edited state is none, by what the editor says."""

_LIMITS = Limits(calls=10_000)


class Call(NamedTuple):
    """A call with its arguments as sent. An `attempt` may fail; what fails changes nothing."""

    call: str
    args: dict[str, Any]
    attempt: bool = False


class End(NamedTuple):
    """Where a rollout ended: the state, and what was handed in."""

    state: EndState
    submission: Submission


class Candidate(NamedTuple):
    """An end that an operator made to be right, or wrong. `end` is the reason where there is none.

    `change` says in short what was done otherwise, `how` leads there again: calls with the submission, or SQL on
    gold's end state.
    """

    aim: Aim
    change: str
    how: dict[str, Any]
    end: End | str


class Label(NamedTuple):
    """`reason` says why an end is undecided."""

    outcome: Aim | Literal["undecided"]
    reason: str = ""


class Operator(Protocol):
    """Candidates for a task, each made otherwise; none where the operator does not apply."""

    def __call__(self, scene: Scene) -> Iterator[Candidate]: ...


def blind(task: Task) -> Task:
    """The task without what its verifier holds for right. Kept is what the task itself says: what is the solver's
    choice (`free`, which ≈ needs), the rules to choose from, and the form of the answer, as `submit` shows it."""
    answer = task.verifier.answer
    if answer.kind != "none":
        answer = answer.model_copy(update={"value": "", "sql": None, "accept": (), "tolerance": 0.0})
    verifier = Verifier(
        free=task.verifier.free, submit=ExpectedSubmission(options=task.verifier.submit.options), answer=answer
    )
    return task.model_copy(update={"verifier": verifier, "faults": ()})


class Scene:
    """A task as labelling sees it. `routes` are other programs for it. Close it, or use it as a context manager."""

    def __init__(self, environment: Environment, task: Task, *, seed: int, routes: Sequence[Program] = ()) -> None:
        self.environment = environment
        self.task = blind(task)
        self.routes = tuple(routes)
        self.context = AuditContext(environment, self.task, seed=seed, alternatives=())
        self._seed = seed_from("labels", seed, environment.hash, task.id)

    def __enter__(self) -> Scene:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.context.reader.close()

    @property
    def gold(self) -> GoldRun:
        return self.context.gold

    @property
    def submission(self) -> Submission:
        """What gold hands in."""
        return self.gold.submission or Submission()

    @property
    def calls(self) -> list[Call]:
        """Gold's calls as sent."""
        return [Call(step.call, step.args) for step in self.gold.steps]

    def random(self, *what: str) -> Random:
        """Random choices of one operator: the same ones whatever the other operators draw."""
        return Random(seed_from(self._seed, *what))

    def writes(self, call: str) -> bool:
        return self.environment.writes(call)

    def optional(self, call: str, args: Iterable[str]) -> list[str]:
        """The arguments that a call could do without."""
        plan = self.environment.plans.get(call)
        return [] if plan is None else [name for name in args if name not in plan.tool.required]

    def tools(self) -> Iterator[tuple[str, Plan]]:
        """The tools that the actor may call."""
        roles = self.task.actor.roles
        return ((name, plan) for name, plan in self.environment.plans.items() if plan.admits(roles))

    def played(self, aim: Aim, change: str, calls: Sequence[Call]) -> Candidate:
        """The end after these calls."""
        how = {"calls": [_told(call) for call in calls], "submit": self.submission.model_dump(exclude_none=True)}
        with self.environment.open(self.task, limits=_LIMITS) as episode:
            for call in calls:
                if not episode.call(call.call, **call.args).ok and not call.attempt:
                    return Candidate(aim, change, how, CALL_FAILED)
            state = self.context.state(episode.final_image(), episode.changes())
        return Candidate(aim, change, how, End(state, self.submission))

    def run(self, aim: Aim, change: str, program: Program, *, seed: int = 0) -> Candidate:
        """The end of another program, in a world of the given seed."""
        run = self.context.run(program, seed=seed)
        submission = run.submission or Submission()
        how: dict[str, Any] = {
            "calls": [{"call": step.call, "args": step.args} for step in run.steps],
            "submit": submission.model_dump(exclude_none=True),
            **({"seed": seed} if seed else {}),
        }
        if not run.ok:
            return Candidate(aim, change, how, CALL_FAILED)
        return Candidate(aim, change, how, End(EndState(run.after, run.changes, run.signature), submission))

    def handed_in(self, aim: Aim, change: str, submission: Submission) -> Candidate:
        """Gold's end state with something else handed in."""
        how = {"calls": [_told(call) for call in self.calls], "submit": submission.model_dump(exclude_none=True)}
        return Candidate(aim, change, how, End(self.context.end, submission))


def _told(call: Call) -> dict[str, Any]:
    return {"call": call.call, "args": call.args, **({"may fail": True} if call.attempt else {})}
