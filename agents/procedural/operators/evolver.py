"""The procedural evolver: a task's plan, edited by an operator, compiled and tried out again."""

from __future__ import annotations

from random import Random

from ....environments.canonical import seed_from
from ....environments.errors import InputError
from ....environments.models import Task, TaskLineage
from ....environments.package import Environment
from ...base import Direction, Pair
from ..tasks.compiler import compile_plan
from ..tasks.offers import offers_of
from ..tasks.plans import plan_of
from ..tasks.refusals import Twins
from ..tasks.trials import Trials
from .aggregate import AGGREGATE, PRECOMPUTE
from .base import Edit
from .conceal import CONCEAL, REVEAL
from .constrain import CONSTRAIN, RELAX
from .deepen import DEEPEN, SHORTEN
from .distract import CLEAR, DISTRACT
from .paraphrase import PARAPHRASE
from .refuse import REFUSE
from .widen import NARROW, WIDEN

ATTEMPTS = 4
OPERATORS: tuple[Edit, ...] = (
    *(DEEPEN, SHORTEN, WIDEN, NARROW, CONCEAL, REVEAL, CONSTRAIN, RELAX, AGGREGATE, PRECOMPUTE, DISTRACT, CLEAR),
    *(REFUSE, PARAPHRASE),
)


class ProceduralEvolver:
    """Evolves tasks that the procedural task writer made; for other tasks no operator applies."""

    @property
    def operators(self) -> dict[Direction, tuple[str, ...]]:
        """Names by declared direction. Placebos are in neither."""
        return {
            "harden": tuple(operator.name for operator in OPERATORS if operator.direction == "harden"),
            "soften": tuple(operator.name for operator in OPERATORS if operator.direction == "soften"),
        }

    @property
    def placebos(self) -> tuple[str, ...]:
        return tuple(operator.name for operator in OPERATORS if operator.direction is None)

    async def evolve(self, environment: Environment, task: Task, operator: str, *, seed: int) -> Task | Pair | None:
        """A child task without verifier, or a refusal with its twin; None where the operator does not apply. Raises
        InputError for a name that no operator has."""
        return evolve(environment, task, operator_named(operator), seed=seed)


def operator_named(name: str) -> Edit:
    for operator in OPERATORS:
        if operator.name == name:
            return operator
    raise InputError(
        f"no operator is called {name!r}.", remedy=f"Known: {', '.join(operator.name for operator in OPERATORS)}."
    )


def evolve(environment: Environment, task: Task, operator: Edit, *, seed: int) -> Task | Pair | None:
    parent = plan_of(task)
    if parent is None:
        return None
    plan = parent.model_copy(update={"twinned": False})  # a child of a twin stands for itself
    offers = offers_of(environment)
    if any(part.workflow not in offers.workflows for part in plan.parts):
        return None  # Refusals: a changed request would lose its twin.
    trials, lineage = Trials(environment, offers), _lineage(task, operator.name)
    for attempt in range(ATTEMPTS):
        rng = Random(seed_from("evolve", task.id, task.plan, operator.name, seed, attempt))
        child = operator.apply(environment, plan, rng)
        if isinstance(child, Twins):
            refusal, twin = (compile_plan(environment, offers, half, lineage=lineage) for half in child)
            return Pair(refusal.model_copy(update={"twin": twin.id}), twin)
        if child is not None and child != plan and trials.trial(child) is not None:
            return compile_plan(environment, offers, child, lineage=lineage)
    return None


def _lineage(task: Task, operator: str) -> TaskLineage:
    return TaskLineage(
        parent=task.id, operator=operator, generation=task.lineage.generation + 1, split=task.lineage.split
    )
