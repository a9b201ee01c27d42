"""What remains of a plan when a part of it came to nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...llm.errors import Unusable
from .drafts import ContractDraft, GroupPlan, RequirementsDraft
from .merging import served
from .requirement_checks import tools_of

LEAST_SHARE = 2 / 3
"""The share of planned tools below which an environment is not worth going on with."""


def possible_groups(plan: RequirementsDraft, tables: Collection[str]) -> tuple[GroupPlan, ...]:
    """The groups with those of their requirements that these tables allow; a group without any is left out."""
    possible = {want.id for want in plan.requirements if set(want.tables) <= set(tables)}
    kept = []
    for group in plan.groups:
        own = tuple(id_ for id_ in group.requirements if id_ in possible)
        if own:
            kept.append(group.model_copy(update={"requirements": own}))
    return tuple(kept)


def remaining(plan: RequirementsDraft, contracts: Mapping[str, Sequence[ContractDraft]]) -> RequirementsDraft:
    """The plan with the requirements that tools serve. Errors: Unusable if too few of its tools came to be."""
    made, planned = sum(map(len, contracts.values())), len(tools_of(plan))
    if made < planned * LEAST_SHARE:
        missing = [group.name for group in plan.groups if group.name not in contracts]
        raise Unusable("architect", (f"{made} of {planned} planned tools; nothing came of {', '.join(missing)}",))
    done = served(contracts)
    return plan.model_copy(update={"requirements": tuple(want for want in plan.requirements if want.id in done)})
