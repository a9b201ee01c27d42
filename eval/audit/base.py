"""What gates share: executions of gold and of its variants, and the judging of end states, each done once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from ...environments.canonical import canonical_json, seed_from
from ...environments.changes import ChangeSet
from ...environments.gold import GoldRun, run_gold
from ...environments.limits import Limits
from ...environments.models import GateResult, Submission, Task, Verdict
from ...environments.models.tasks import GoldStep
from ...environments.package import Environment
from ...environments.person import heard
from ...environments.remembering import Memory
from ...environments.states import Comparison, comparison_of, state_signature
from ...environments.verification import SqlProblem, StateReader, verify
from .edits import EndState
from .runs import Runs, run_key
from .tool_writes import ToolWrites, tool_writes

if TYPE_CHECKING:
    from .attacks.base import Attacker

T = TypeVar("T")
Program = tuple[GoldStep, ...]

MOST_EVIDENCE = 5
_LIMITS = Limits(calls=100_000)


class Gate(Protocol):
    """One gate of the audit. It runs only where gold ran, unless it is among those that need no gold."""

    def __call__(self, context: AuditContext) -> GateResult: ...


class Judgement(NamedTuple):
    """What verifier and goal say of one end state and submission.

    `required`: all of `bind` and `require` hold; `unharmed`: nothing unallowed changed; `goal` is None without a
    goal's SQL, or where it does not run (`problem`).
    """

    verdict: Verdict
    required: bool
    unharmed: bool
    goal: bool | None
    problem: str = ""

    @property
    def passed(self) -> bool:
        return self.verdict.passed

    @property
    def state_passed(self) -> bool:
        """Whether the state alone is right, whatever was submitted."""
        return self.required and self.unharmed and self.verdict.outcome != "environment_error"

    def disagreement(self, *, acted: bool) -> str:
        """How goal and `require` disagree about the state; empty where they do not. `acted`: calls led to it.

        The goal says what must be so, `allow` what else may not change: where something unallowed changed, the
        verifier has its own reason to reject. So it has in an edited state that no call leads to: a goal says
        nothing of what tools write besides (a ledger's author, a total).
        """
        if self.problem or self.goal is None or not self.unharmed or self.goal == self.required:
            return self.problem
        if not self.goal:
            return "the goal does not hold, the requirements do"
        return "the goal holds, a requirement does not" if acted else ""


class Trial(NamedTuple):
    """An end state that was judged, and how it came about (for evidence)."""

    shown: dict[str, Any]
    judgement: Judgement

    @property
    def killed(self) -> bool:
        """Whether the verifier rejected it; one that broke on it did not."""
        return not self.judgement.passed and self.judgement.verdict.outcome != "environment_error"


class AuditContext:
    """The audit of one task. Close it, or use it as a context manager."""

    def __init__(
        self,
        environment: Environment,
        task: Task,
        *,
        seed: int,
        alternatives: Sequence[Program] = (),
        attackers: Sequence[Attacker] = (),
        attack_calls: int = 0,
        search_calls: int = 0,
        runs: Runs | None = None,
    ) -> None:
        self._memory = Memory()
        self._unremembering = environment
        self.environment = environment.remembering(self._memory)
        # Injected faults disturb the way to the end, not what the end must be; a program cannot retry.
        self.task = task.model_copy(update={"faults": ()})
        self.alternatives = alternatives
        self.attackers = attackers
        self.attack_calls = attack_calls
        self.search_calls = search_calls
        self.seed = seed_from("audit", seed, environment.hash, task.id)
        self.before = environment.image_for(task)
        self.reader = StateReader(environment, self.before, actor=task.actor)
        self.comparison: Comparison = comparison_of(environment)
        self._shared: dict[Any, Any] = {}
        self._runs = {} if runs is None else runs
        self._judged: dict[tuple[int, str], tuple[ChangeSet, Judgement]] = {}

    def __enter__(self) -> AuditContext:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.reader.close()
        self._memory.close()

    def once(self, make: Callable[[AuditContext], T]) -> T:
        """What `make` gives for this context, made when first asked for."""
        if make not in self._shared:
            self._shared[make] = make(self)
        found: T = self._shared[make]
        return found

    def made(self, make: Callable[[AuditContext], T]) -> T | None:
        """What `make` gave, if it was asked for."""
        found: T | None = self._shared.get(make)
        return found

    @cached_property
    def gold(self) -> GoldRun:
        return run_gold(self.environment, self.task)

    @cached_property
    def _run_key(self) -> str:
        return run_key(self.environment, self.task)

    @cached_property
    def writes(self) -> ToolWrites:
        return tool_writes(self.environment)

    @cached_property
    def end(self) -> EndState:
        """Gold's end state."""
        return EndState(self.gold.after, self.gold.changes, self.gold.signature)

    @cached_property
    def seed_signature(self) -> str:
        """The signature of a state in which nothing changed."""
        return self.state(self.before, ChangeSet()).signature

    def state(self, image: bytes, changes: ChangeSet) -> EndState:
        signature = state_signature(self.environment, changes, image, free=self.task.verifier.free)
        return EndState(image, changes, signature)

    @property
    def said(self) -> str:
        """What the solver is told: the instruction, and the facts that a simulated person knows."""
        return heard(self.task)

    @property
    def changes_state(self) -> bool:
        """Whether this is a state task: gold changes what counts."""
        return self.gold.signature != self.seed_signature

    def run(self, program: Iterable[GoldStep], *, seed: int = 0) -> GoldRun:
        """Run another program as gold, in an episode of the given world seed."""
        steps = tuple(program)
        key = (self._run_key, canonical_json(list(steps)), seed)
        if key not in self._runs:
            self._runs[key] = self._run(self.environment, steps, seed)
        return self._runs[key]

    def run_afresh(self, program: Iterable[GoldStep]) -> GoldRun:
        """The same in a world that remembers nothing of other runs, whether or not there were any."""
        return self._run(self._unremembering, tuple(program), 0)

    def _run(self, environment: Environment, steps: tuple[GoldStep, ...], seed: int) -> GoldRun:
        variant = self.task.model_copy(update={"gold": steps})
        with environment.open(variant, seed=seed) as episode:
            return run_gold(environment, variant, episode=episode)

    def played(self, calls: Iterable[tuple[str, Mapping[str, Any]]]) -> EndState | None:
        """The end after these calls, sent as they are; None where one fails."""
        with self.environment.open(self.task, limits=_LIMITS) as episode:
            if not all(episode.call(name, **args).ok for name, args in calls):
                return None
            return self.state(episode.final_image(), episode.changes())

    def judge(self, after: bytes, changes: ChangeSet, submission: Submission | None) -> Judgement:
        """What verifier and goal say. The same end is judged once: many programs differ in reads alone."""
        key = (hash(after), repr(submission))
        known, judgement = self._judged.get(key, (None, None))
        if judgement is None or known != changes:
            judgement = self._judgement(after, changes, submission)
            self._judged[key] = (changes, judgement)
        return judgement

    def _judgement(self, after: bytes, changes: ChangeSet, submission: Submission | None) -> Judgement:
        verifier = self.task.verifier
        verdict = verify(
            self.environment,
            self.task,
            before=self.before,
            after=after,
            changes=changes,
            submission=submission,
            reader=self.reader,
        )
        # The checks on the state come first.
        held = [check.holds for check in verdict.checks[: len(verifier.bind) + len(verifier.require)]]
        required = all(held) and verdict.outcome != "environment_error"
        if verdict.outcome == "environment_error":
            self.reader.show(after, changes)
        goal, problem = self._goal()
        return Judgement(verdict, required, not verdict.unallowed, goal, problem)

    def _goal(self) -> tuple[bool | None, str]:
        """Whether the goal holds in the state that the reader shows; what is wrong with its SQL."""
        if self.task.goal.sql is None:
            return None, ""
        try:
            return self.reader.holds(self.task.goal.sql), ""
        except SqlProblem as error:
            return None, f"the goal's SQL {error}"


def shortest(evidence: Iterable[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """The few that are quickest to read."""
    # Evidence may hold what canonical JSON refuses: blobs, infinite numbers.
    written = [(json.dumps(found, sort_keys=True, ensure_ascii=False, default=repr), found) for found in evidence]
    written.sort(key=lambda entry: (len(entry[0]), entry[0]))
    return tuple(found for _, found in written[:MOST_EVIDENCE])
