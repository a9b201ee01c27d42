"""Whether requirements, parts and groups fit together, told so that a model can mend them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ....environments.planning import RESERVED_TOOLS
from .drafts import RequirementsDraft
from .wanted import Wanted

MOST_TABLES, MOST_TOOLS = 6, 8
"""What one reply of the calls that follow can hold."""


def requirement_problems(draft: RequirementsDraft, wanted: Wanted) -> list[str]:
    return [*_sizes(draft, wanted), *_twice(draft), *_actors(draft), *_wants(draft), *_groups(draft)]


def tables_of(draft: RequirementsDraft) -> list[str]:
    return [table.name for part in draft.parts for table in part.tables]


def tools_of(draft: RequirementsDraft) -> list[str]:
    return [tool for group in draft.groups for tool in group.tools]


def _sizes(draft: RequirementsDraft, wanted: Wanted) -> Iterator[str]:
    counts = {
        "tables in parts": (len(tables_of(draft)), wanted.tables),
        "tools in groups": (len(tools_of(draft)), wanted.tools),
        "requirements": (len(draft.requirements), wanted.requirements),
        "policy rules": (len(draft.policy), wanted.rules),
    }
    for what, (count, (least, most)) in counts.items():
        if not least <= count <= most:
            yield f"{count} {what}: give {least} to {most}."
    for part in draft.parts:
        if len(part.tables) > MOST_TABLES:
            yield f"parts.{part.name} has {len(part.tables)} tables: split it, {MOST_TABLES} at most in one part."
    for group in draft.groups:
        if len(group.tools) > MOST_TOOLS:
            yield f"groups.{group.name} has {len(group.tools)} tools: split it, {MOST_TOOLS} at most in one group."


def _twice(draft: RequirementsDraft) -> Iterator[str]:
    named: dict[str, Iterable[str]] = {
        "requirement id": (want.id for want in draft.requirements),
        "role": (actor.role for actor in draft.actors),
        "part": (part.name for part in draft.parts),
        "group": (group.name for group in draft.groups),
        "table": tables_of(draft),
        "tool": tools_of(draft),
    }
    for what, names in named.items():
        for name, count in Counter(names).items():
            if count > 1:
                yield f"the {what} {name!r} is named {count} times: each once, in one place."
    for name in tools_of(draft):
        if name in RESERVED_TOOLS:
            yield f"groups: a tool cannot be named {name!r}, the runtime has one of that name."


def _actors(draft: RequirementsDraft) -> Iterator[str]:
    first = {table.name for table in draft.parts[0].tables}
    for actor in draft.actors:
        if actor.table not in first:
            yield f"actors.{actor.role}.table: {actor.table!r} must be a table of the first part."


def _wants(draft: RequirementsDraft) -> Iterator[str]:
    tables, roles = set(tables_of(draft)), {actor.role for actor in draft.actors}
    for want in draft.requirements:
        if want.actor not in roles:
            yield f"requirements.{want.id}.actor: {want.actor!r} is no role ({', '.join(sorted(roles))})."
        unknown = [name for name in want.tables if name not in tables]
        if unknown:
            yield f"requirements.{want.id}.tables: {', '.join(unknown)} stand in no part."
        if want.refused_by is not None and not 1 <= want.refused_by <= len(draft.policy):
            yield f"requirements.{want.id}.refused_by: there is no policy rule {want.refused_by}."
    if not any(want.refused_by is not None for want in draft.requirements):
        yield "requirements: at least one must be something that a policy rule forbids (refused_by)."


def _groups(draft: RequirementsDraft) -> Iterator[str]:
    known = {want.id for want in draft.requirements}
    served = {id_ for group in draft.groups for id_ in group.requirements}
    for group in draft.groups:
        unknown = [id_ for id_ in group.requirements if id_ not in known]
        if unknown:
            yield f"groups.{group.name}.requirements: there is no {', '.join(unknown)}."
    for id_ in sorted(known - served):
        yield f"requirement {id_} is served by no group."
