"""Best-first search for programs that pass, over clones of a task's world.

A state is worth the more, the more of the verifier's checks it makes true and the less unallowed change it holds; a
call the more, the likelier its arguments (see `values`). Reads widen what is known. No gold is followed. It is
privileged all the same: it knows the verifier, and tells when the answer can be read off results.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from itertools import count
from random import Random

from ...environments.canonical import seed_from
from ...environments.limits import Limits
from ...environments.models import Task
from ...environments.package import Environment
from ...environments.person import heard
from ...environments.sql_text import SqlProblem
from ...environments.states import comparison_of
from ...environments.verification import StateReader
from .answers import Result
from .base import SearchResult
from .candidates import Candidate, Stream, tool_costs
from .constants import constants_of
from .nodes import Node
from .outcomes import Outcomes
from .readouts import readout
from .said import said
from .sights import Scout
from .values import Values, known_values

PROGRESS = 10.0
"""What it is worth to go on where everything that is asked for is done, rather than nothing, in bits."""
TIRED = 0.2
"""What each call that was made from a state costs those after it."""
IDLE = 4.0
"""What a write costs that gains nothing by itself."""
LOOKING = 1.5
"""What a read costs where no answer is asked for."""
_LIMITS = Limits(calls=1_000_000)
_STALE = 8
"""Calls from a state before what was learnt meanwhile changes what is tried there."""
_MOST_NODES = 200


def search(
    environment: Environment,
    task: Task,
    *,
    budget: int,
    seed: int = 0,
    world_seed: int = 0,
    enough: int = 1,
    end: str | None = None,
    jitter: float = 0.0,
    deepest: int = 12,
    looking: float = LOOKING,
    unseen: bool = False,
    reader: StateReader | None = None,
) -> SearchResult:
    """Programs for `task` that pass, found with at most `budget` tool calls in clones; `enough` ends it earlier.

    `end` is the signature of a state that counts as found whatever the verifier says of it; so does, if it is given,
    every state in which the goal's SQL holds and nothing unallowed changed. `jitter` is how much chance changes the
    order of what is tried, in bits; `seed` fixes it. `deepest` is the most writes of a program,
    `looking` what a read costs where no answer is asked for. With `unseen` calls may point at rows that no result has
    shown. `reader` is one over the task's seed state. Injected faults are left out. Nothing is found for a verifier
    whose SQL breaks. Raises InputError for a task whose actor cannot act.
    """
    with _reading(environment, task, reader) as opened:
        found = _Search(
            environment,
            task,
            opened,
            seed=seed,
            jitter=jitter,
            end=end,
            deepest=deepest,
            looking=looking,
            unseen=unseen,
        )
        try:
            found.run(budget, world_seed, enough)
        except SqlProblem:
            pass
        finally:
            found.close()
        return found.result()


@contextmanager
def _reading(environment: Environment, task: Task, reader: StateReader | None) -> Iterator[StateReader]:
    if reader is not None:
        yield reader
        return
    with StateReader(environment, environment.image_for(task), actor=task.actor) as own:
        yield own


class _Search:
    """One search: the states reached, and what is known."""

    def __init__(
        self,
        environment: Environment,
        task: Task,
        reader: StateReader,
        *,
        seed: int,
        jitter: float,
        end: str | None,
        deepest: int,
        looking: float,
        unseen: bool,
    ) -> None:
        self._environment = environment
        self._task = task.model_copy(update={"faults": ()})
        self._asks = task.verifier.answer.kind != "none"
        self._jitter = jitter
        self._deepest = deepest
        self._looking = looking
        self._random = Random(seed_from("search", seed, environment.hash, task.id))
        self._scout = Scout(environment, task, reader)
        spec = environment.spec
        constants = constants_of(environment, task.verifier, reader)
        spoken = said(heard(task), spec.clock)
        self._known = known_values(constants, spoken)
        actor = (environment.actor_table(task.actor), task.actor.id)
        self._values = Values(
            environment,
            constants,
            spoken,
            actor,
            self._scout.rows_of,
            unseen=unseen,
        )
        self._costs = tool_costs(environment, task, comparison_of(environment))
        self._streams: dict[tuple[int, bool], Stream] = {}
        self._queue: list[tuple[float, int, Node, Candidate]] = []
        self._nodes: list[Node] = []
        self._ends: set[str] = set()
        self._numbers = count()
        self._outcomes = Outcomes(task, end)
        self._spent = 0

    def run(self, budget: int, world_seed: int, enough: int) -> None:
        episode = self._environment.open(self._task, limits=_LIMITS, seed=world_seed)
        root = Node(episode, self._scout.look(episode), None, None, 0.0)
        self._reach(root)
        while self._spent < budget and self._queue and len(self._outcomes) < enough:
            _, _, node, candidate = heappop(self._queue)
            self._try(node, candidate)
            self._offer(node)

    def result(self) -> SearchResult:
        return self._outcomes.result(self._spent)

    def close(self) -> None:
        for node in self._nodes:
            node.close()

    # States

    def _reach(self, node: Node) -> None:
        """Take in a new state."""
        self._nodes.append(node)
        self._outcomes.note(node)
        known = node.sight.signature in self._ends
        self._ends.add(node.sight.signature)
        finished = node.sight.right and not self._asks
        if not known and not finished and node.depth < self._deepest and len(self._nodes) < _MOST_NODES:
            self._offer(node)
        else:
            node.close()

    def _offer(self, node: Node) -> None:
        """Put what is best tried next from a state in line."""
        candidate = self._next(node)
        if candidate is not None:
            worth = PROGRESS * node.sight.progress
            cost = node.cost + candidate.cost + TIRED * len(node.tried) - worth
            heappush(self._queue, (cost, next(self._numbers), node, candidate))

    def _next(self, node: Node) -> Candidate | None:
        if node.stream is None or node.age >= _STALE:
            self._refresh(node)
        while True:
            candidate = node.stream.at(node.place) if node.stream else None
            node.place += 1
            if candidate is None:
                if not self._refresh(node):
                    return None
            elif (key := repr(candidate.call)) not in node.tried:
                node.tried.add(key)
                node.age += 1
                return candidate

    def _refresh(self, node: Node) -> bool:
        """Let a state have what is known now; whether that is more."""
        version = (self._values.version, node.sight.right)
        if version not in self._streams:
            looking = 0.0 if self._asks else self._looking
            costs = {name: cost + looking for name, cost in self._costs.reads.items()}
            if not node.sight.right:
                costs |= self._costs.writes
            self._streams[version] = Stream(self._environment, self._values, costs, self._random, self._jitter)
        fresh = node.stream is not self._streams[version]
        if fresh:
            node.stream, node.place = self._streams[version], 0
        node.age = 0
        return fresh

    # Calls

    def _try(self, node: Node, candidate: Candidate) -> None:
        call = candidate.call
        clone = node.spare()
        self._spent += 1
        result = clone.call(call.tool, **call.args)
        if not result.ok:
            return
        writes = self._environment.writes(call.tool)
        self._values.see(result.value, candidate.cost, made=writes)
        told = Result(self._spent, result.value, readout(result.value, self._known)) if self._asks else None
        if not writes:
            if told is not None:
                node.keep(told, call)
                self._outcomes.note(node)
            return
        child = node.take()
        sight = self._scout.look(child)
        idle = 0.0 if sight.progress > node.sight.progress else IDLE
        reached = Node(child, sight, node, call, node.cost + candidate.cost + idle)
        if told is not None:
            reached.keep(told, None)
        self._reach(reached)
