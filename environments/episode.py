"""One actor's run in a world, recorded."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from .arguments import validation_problem
from .changes import ChangeSet
from .errors import InputError, WorldError
from .failures import CallFailed
from .faults import Faults, failed
from .limits import Limits
from .models import Actor, CallResult, RowChange, ShownCall, Submission, Task, Trace, Verdict
from .opening import opened
from .person import SAY_TOOL, Person, say_validator
from .plans import Plan
from .prompting import episode_prompt
from .recording import Event, Recording, clean_text
from .remembering import RememberedWorld
from .submitting import SubmissionReader
from .world import World

if TYPE_CHECKING:
    from .package import Environment
    from .surface import Look
    from .surface.look import Typed

UNREADABLE = "The arguments are no JSON object"
"""How the refusal of a call begins whose arguments could not be read."""


class Episode:
    """Made by `Environment.open`, or `Environment.play` for one whose tools look as players see them. Tool calls
    answer with values, never exceptions, whatever the arguments are.

    Use from one thread at a time; different episodes may run in different threads. A context manager.
    """

    __slots__ = (
        "_closed",
        "_faults",
        "_image",
        "_internal",
        "_limit",
        "_look",
        "_person",
        "_recording",
        "_submission",
        "_submitting",
        "_verdict",
        "_world",
        "actor",
        "calls",
        "environment",
        "limits",
        "seed",
        "task",
    )

    def __init__(
        self,
        environment: Environment,
        task: Task | None,
        actor: Actor,
        limits: Limits,
        seed: int,
        world: World | RememberedWorld,
        look: Look | None = None,
    ) -> None:
        self.environment = environment
        self.task = task
        self.actor = actor
        self.limits = limits
        self.seed = seed
        self.calls = 0
        self._world = world
        self._look = look
        self._image = environment.image_for(task)
        self._recording = Recording()
        self._faults = Faults(task.faults if task else ())
        self._person = Person.model_validate(task.user) if task and task.user else None
        self._submitting: SubmissionReader | None = None
        self._submission: Submission | None = None
        self._limit: str | None = None
        self._internal: str | None = None
        self._verdict: Verdict | None = None
        self._closed = False

    @classmethod
    def open(
        cls,
        environment: Environment,
        task: Task | None,
        *,
        actor: Actor | None,
        limits: Limits,
        seed: int,
        played: bool = False,
    ) -> Episode:
        """A fresh episode. `played`: in the form of the environment's surface, not the canonical one.

        Raises InputError if the actor cannot act, PackageError for setup that fails.
        """
        kit = environment.kit
        acting = actor or (task.actor if task else kit.first_actor())
        kit.check_actor(acting, task)
        world = opened(kit, environment.memory, kit.image_for(task), acting, limits, seed)
        return cls(environment, task, acting, limits, seed, world, kit.look if played else None)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """MCP definitions of the tools that the actor may call (do not change them); `submit` last."""
        return self._definitions(self._look)

    @property
    def canonical_tools(self) -> list[dict[str, Any]]:
        """The same in canonical form, whatever the surface is."""
        return self._definitions(None)

    def _definitions(self, look: Look | None) -> list[dict[str, Any]]:
        plans = [plan for plan in self.environment.plans.values() if plan.admits(self.actor.roles)]
        found = [plan.definition if look is None else look.definition(plan.tool.name) for plan in plans]
        if self._person:
            found.append(SAY_TOOL)
        if self.task:
            found.append(self._submission_reader().tool)
        return found

    def prompt(self) -> str:
        """What every solver is shown: policy, who the actor is, the world's time, the instruction."""
        name = self.environment.kit.actor_name(self.actor, self.task)
        spec = self.environment.spec
        if self._look is None:
            return episode_prompt(spec, self.task, self.actor, name)
        called = self._look.actor(self.environment.actor_table(self.actor), self.actor.id)
        return episode_prompt(spec, self.task, self.actor, name, policy=self._look.text(spec.policy), called=called)

    def call(self, name: str, /, **args: Any) -> CallResult:
        """Call a tool (`submit` and `say` among them), as `tools` has it."""
        return self.call_canonical(name, **args) if self._look is None else self._played(self._look, name, args)

    def call_canonical(self, name: str, /, **args: Any) -> CallResult:
        """Call a tool in canonical form, whatever the surface is; the trace has it in both."""
        if name == "submit" and self.task:
            return self._submit(args)
        started = time.perf_counter()
        result, changeset = self._answer(name, args)
        seconds = time.perf_counter() - started
        shown = None if self._look is None else self._look.shown(name, args, result, self._world.failed)
        self._record(name, args, result, changeset, seconds, shown)
        return result

    def _played(self, look: Look, name: str, args: Mapping[str, Any]) -> CallResult:
        if name == "submit" and self.task:
            return look.answer(self._submit(args))
        started = time.perf_counter()
        typed = look.typed(name, args)
        result, changeset = self._answer(name, typed.args, typed)
        seen = look.seen(typed, args, result, self._world.failed)
        seconds = time.perf_counter() - started
        shown = ShownCall(tool=clean_text(str(name)), args=dict(args), payload=seen.seen)
        self._record(typed.tool, typed.args, result, changeset, seconds, shown)
        return seen

    def _record(
        self,
        name: str,
        args: Mapping[str, Any],
        result: CallResult,
        changeset: bytes,
        seconds: float,
        shown: ShownCall | None,
    ) -> None:
        tool = clean_text(str(name))
        self._recording.add(Event("call", None, None, tool, args, result, changeset, seconds, shown))

    def _answer(self, name: str, args: Mapping[str, Any], typed: Typed | None = None) -> tuple[CallResult, bytes]:
        """`name` is what the caller wrote; `typed` what a player's call comes to."""
        if self.closed:
            return _ended(), b""
        if self.calls >= self.limits.calls:
            self._limit = "calls"
            return self._used_up(), b""
        self.calls += 1
        if name == "say" and self._person:
            return self._converse(self._person, args), b""
        if typed is not None:
            plan = typed.look.plan if typed.look else None
        else:
            plan = self.environment.plans.get(name) if isinstance(name, str) else None
        if plan is None:
            return CallFailed("not_found", f"There is no tool {clean_text(str(name))!r}.").result(), b""
        if not plan.admits(self.actor.roles):
            return CallFailed("forbidden", f"{name} is not for {', '.join(self.actor.roles)}.").result(), b""
        return self._run(plan, args, typed.refusal if typed else None)

    def _used_up(self) -> CallResult:
        return CallFailed("limit_exceeded", f"All {self.limits.calls} calls are used up.").result()

    def _run(self, plan: Plan, args: Mapping[str, Any], refusal: CallFailed | None) -> tuple[CallResult, bytes]:
        fault = self._faults.next(plan.tool.name)
        if fault and fault.kind != "stale":
            return failed(fault), b""
        if refusal:
            return refusal.result(), b""
        if fault and not plan.writes:
            return self._stale(plan, args), b""
        result, changeset = self._world.call(plan, args)
        if result.error and result.error.code == "internal":
            self._internal = self._internal or f"{plan.tool.name}: {result.detail}"
        return result, changeset

    def _stale(self, plan: Plan, args: Mapping[str, Any]) -> CallResult:
        """The answer as the seed state has it."""
        with Episode.open(self.environment, self.task, actor=self.actor, limits=self.limits, seed=self.seed) as old:
            result, _ = old._world.call(plan, args)
            self._world.failed = old._world.failed
            return result

    def _converse(self, person: Person, args: Mapping[str, Any]) -> CallResult:
        problem = validation_problem(say_validator(), args)
        if problem:
            return CallFailed("invalid_argument", problem).result()
        return CallResult(ok=True, value={"reply": person.reply(args["text"])})

    def answered(self, result: CallResult) -> CallResult:
        """An answer that is given in the episode's stead, as its player sees it. Nothing is recorded."""
        return result if self._look is None else self._look.answer(result)

    def say(self, text: str) -> str | None:
        """Record an assistant message. The simulated person, where the task has one, replies."""
        self._recording.add(Event("message", role="assistant", text=text))
        if self._person is None or self.closed:
            return None
        reply = self._person.reply(text)
        self._recording.add(Event("message", role="user", text=reply))
        return reply

    def note(self, text: str, role: Literal["user", "assistant"] = "assistant") -> None:
        """Record a message that nobody in the world hears: what is said beside calls, what a solver is told."""
        self._recording.add(Event("message", role=role, text=text))

    def unreadable(self, name: str, text: str) -> CallResult:
        """Record and answer a call whose arguments, `text`, are no JSON object. It counts as a call."""
        result = CallFailed("invalid_argument", f"{UNREADABLE}: {clean_text(text)!r:.200}").result()
        if self.closed:
            result = _ended()
        elif self.calls >= self.limits.calls:
            self._limit = "calls"
            result = self._used_up()
        else:
            self.calls += 1
        args = {"unreadable": text[:2000]}
        if self._look is None:
            self._record(name, args, result, b"", 0.0, None)
            return result
        typed, seen = self._look.typed(name, {}), self._look.answer(result)
        shown = ShownCall(tool=clean_text(name), args=args, payload=seen.seen)
        self._record(typed.tool, args, result, b"", 0.0, shown)
        return seen

    def submit(self, status: str = "done", reason: int | None = None, answer: Any = None) -> CallResult:
        """Hand in; closes the tools unless what is handed in does not fit `submit`'s schema."""
        return self.answered(self._submit({"status": status, "reason": reason, "answer": answer}))

    def _submit(self, args: Mapping[str, Any]) -> CallResult:
        result = self._read_submission(args)
        given = {name: value for name, value in args.items() if value is not None}
        shown = self._look.shown("submit", given, result) if self._look else None
        self._recording.add(Event("submit", tool="submit", args=given, result=result, shown=shown))
        return result

    def _read_submission(self, args: Mapping[str, Any]) -> CallResult:
        if self.closed:
            return _ended()
        if self.task is None:
            return CallFailed("not_found", "There is no task to submit.").result()
        read = self._submission_reader().read(args)
        if isinstance(read, str):
            return CallFailed("invalid_argument", read).result()
        self._submission = read
        return CallResult(ok=True, value={"submitted": True})

    def _submission_reader(self) -> SubmissionReader:
        if self._submitting is None:
            if self.task is None:
                raise WorldError("There is no task to submit.")
            self._submitting = SubmissionReader(self.task.verifier)
        return self._submitting

    @property
    def closed(self) -> bool:
        """Whether the tools are closed: submitted, at a limit, or closed."""
        return self._closed or self._submission is not None or self._limit is not None

    @property
    def submission(self) -> Submission | None:
        return self._submission

    @property
    def trace(self) -> Trace:
        """Everything that happened so far."""
        return Trace(
            environment=self.environment.id,
            task=self.task.id if self.task else None,
            events=self._recording.events(self._world.rows),
            submission=self._submission,
            limit=self._limit,
        )

    def changes_by_call(self) -> list[tuple[RowChange, ...]]:
        """The rows that each call changed, in order."""
        return [self._world.rows(changeset) for changeset in self._recording.changesets()]

    def changes(self) -> ChangeSet:
        """The rows that changed against the seed state, net. Works on a closed episode too."""
        return self._world.changes()

    def final_image(self) -> bytes:
        """The database as it is now. Raises InputError on a closed episode: its world is gone."""
        if self._closed:
            raise InputError("The episode is closed and its world is gone.", remedy="Take the image before closing.")
        return self._world.image()

    def seed_image(self) -> bytes:
        """The state that the episode started from."""
        return self._image

    def fork(self) -> Episode:
        """An episode of its own in the same state, with the same past. Raises InputError on a closed episode."""
        if self._closed:
            raise InputError("The episode is closed and its world is gone.", remedy="Fork before closing.")
        world = self._world.fork()
        copy = Episode(self.environment, self.task, self.actor, self.limits, self.seed, world, self._look)
        copy.calls = self.calls
        copy._recording = self._recording.fork()
        copy._faults = self._faults.fork()
        copy._submission = self._submission
        copy._limit = self._limit
        copy._internal = self._internal
        return copy

    def verify(self) -> Verdict:
        """The verdict; closes the episode. Stopping without `submit` counts as `done` without answer, but running
        into a limit does not.

        Raises InputError without a task, or on an episode closed before.
        """
        if self._verdict is None:
            self._verdict = self._verify()
            self.close()
        return self._verdict

    def _verify(self) -> Verdict:
        from .verification import verify

        if self.task is None:
            raise InputError("A free episode has no task to verify.", remedy="Open it with a task.")
        submission = self._submission or (Submission() if self._limit is None else None)
        return verify(
            self.environment,
            self.task,
            before=self._image,
            after=self.final_image(),
            changes=self.changes(),
            submission=submission,
            limit=self._limit,
            internal_error=self._internal,
        )

    def close(self) -> None:
        """Give the world's memory back; trace and changes stay. Closing twice is fine."""
        self._closed = True
        self._world.close()

    def __enter__(self) -> Episode:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _ended() -> CallResult:
    return CallFailed("conflict", "The episode has ended; tools are closed.").result()
