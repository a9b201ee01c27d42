"""A list that promises people their own rows, and gives them anybody's.

Stands for a filter by person that lost its scope: "Members see their own.", and a member who names another member
gets that member's rows. The promise is a sentence of the tool's description that names the role; a call by one
person that names another and is answered with rows is the proof. A switch that promises the caller's own ("True for
only those you are in") must ask who calls wherever it is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ....environments.models import Expectation, Finding, Probe
from ....environments.resolution import ResolvedTool
from ...tester.ownership import admitted
from ...tester.queries import Query, bound_names
from ...tester.trees import conjuncts
from ...tester.words import stem
from ..reading.base import Context, again, finding

KIND = "own_rows_promised"
_YOURS = re.compile(r"\b(mine|your|yours|you|caller's)\b", re.IGNORECASE)
_OWN = re.compile(r"([^.;]*)\b(?:sees?|finds?|gets?|reads?) (?:only )?(?:their|his|her|its) own\b")


def check(context: Context) -> Iterator[Finding]:
    for tool in context.anatomy.tools.values():
        for role in _promised(context, tool) if tool.kind == "read" else ():
            yield from (found for name in _people(context, tool) if (found := _crossed(context, tool, role, name)))
    for query in context.anatomy.all_queries():
        yield from _switches(context, query) if query.kind == "many" else ()


def _switches(context: Context, query: Query) -> Iterator[Finding]:
    names = context.anatomy.names[query.tool]
    for name, param in names.params.items():
        if param.type != "boolean" or _YOURS.search(f"{name} {param.description}") is None or query.tree is None:
            continue
        looked = [part for part in conjuncts(query.tree.args.get("where")) if name in bound_names(part)]
        asks = [part for part in looked if any("actor_id" in {one, *names.behind(one)} for one in bound_names(part))]
        if looked and not asks:
            message = f"{query.tool} says of {name}: {param.description!r}, and does not ask who calls."
            yield finding(KIND, "major", f"tools.{query.tool}.params.{name}", message, probe=again(KIND))


def _promised(context: Context, tool: ResolvedTool) -> Iterator[str]:
    """The roles that a sentence about one's own rows names."""
    said = {stem(word) for found in _OWN.finditer(tool.description.lower()) for word in re.findall(r"\w+", found[1])}
    for role in admitted(context.anatomy.spec, tool):
        if all(stem(word) in said for word in role.split("_")):
            yield role


def _people(context: Context, tool: ResolvedTool) -> Iterator[str]:
    """Parameters that name a person, by the table whose rows hold roles."""
    tables = {role.table for role in context.anatomy.spec.roles.values()}
    for name, param in tool.params.items():
        if param.ref is not None and param.ref.split(".")[0] in tables:
            yield name


def _crossed(context: Context, tool: ResolvedTool, role: str, param: str) -> Finding | None:
    actors = context.trials.actors.get(role, ())
    for actor, other in pairwise(actors):
        for asking, named in ((actor, other), (other, actor)):
            trial = context.trials.through(
                tool,
                actor=asking,
                fixed={param: named.id},
                without=frozenset(tool.params) - set(tool.required) - {param},
                accept=lambda done: bool(isinstance(done.result.value, dict) and done.result.value.get("items")),
                tries=8,
            )
            if trial is not None:
                message = (
                    f"{tool.name} says that each {role} sees their own, and shows one those of another by {param}."
                )
                probe = Probe(
                    calls=(trial.step.probe_call(),), expect=(Expectation(fails=("forbidden", "not_found")),)
                )
                return finding(KIND, "blocker", f"tools.{tool.name}.params.{param}", message, probe=probe)
    return None
