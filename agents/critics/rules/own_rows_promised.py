"""A list that promises people their own rows, and gives them anybody's.

Stands for a filter by person that lost its scope: "Members see their own.", and a member who names another member
gets that member's rows. The promise is a sentence of the tool's description that names the role; a call by one
person that names another and is answered with rows is the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ....environments.models import Expectation, Finding, Probe
from ....environments.resolution import ResolvedTool
from ...tester.ownership import admitted
from ...tester.words import stem
from ..reading.base import Context, finding

KIND = "own_rows_promised"
_OWN = re.compile(r"([^.;]*)\b(?:sees?|finds?|gets?|reads?) (?:only )?(?:their|his|her|its) own\b")


def check(context: Context) -> Iterator[Finding]:
    for tool in context.anatomy.tools.values():
        for role in _promised(context, tool) if tool.kind == "read" else ():
            yield from (found for name in _people(context, tool) if (found := _crossed(context, tool, role, name)))


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
