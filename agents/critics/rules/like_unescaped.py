"""User text put into a LIKE pattern as it is.

Stands for searches in which "100%" finds everything and "a_b" finds "axb". A search for the percent sign that finds
rows without one is the proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Expectation, Finding, Param, Probe
from ...tester.names import Names
from ...tester.queries import Query
from ..reading.base import Context, again, finding

KIND = "like_unescaped"


def check(context: Context) -> Iterator[Finding]:
    for query in context.anatomy.all_queries():
        names = context.anatomy.names[query.tool]
        for name in sorted(_patterns(query, names)):
            message = f"{query.tool} puts {name} into a LIKE pattern: % and _ in it match anything."
            yield finding(KIND, "minor", query.where, message, probe=_probe(context, query, name), parameter=name)


def _patterns(query: Query, names: Names) -> set[str]:
    """Text parameters that end up in a pattern without ESCAPE."""
    found: set[str] = set()
    for like in query.tree.find_all(exp.Like, exp.ILike) if query.tree is not None else ():
        if isinstance(like.parent, exp.Escape):
            continue
        for node in like.expression.find_all(exp.Placeholder):
            origins = {name for name in names.behind(node.name) if name in names.params}
            found |= {name for name in origins if _free(names.params[name])}
    return found


def _free(param: Param) -> bool:
    return param.type == "string" and param.enum is None and param.format is None and param.pattern is None


def _probe(context: Context, query: Query, name: str) -> Probe:
    tool = context.anatomy.tools[query.tool]
    optional = frozenset(tool.params) - set(tool.required) - {name} | {"offset"}
    trial = None
    if query.kind == "many":
        trial = context.trials.through(
            tool, fixed={name: "%"}, without=optional, accept=lambda done: not _holds(done.result.value, "%")
        )
    if trial is None or not trial.outcome.result.value["items"]:
        return again(KIND)
    return Probe(
        calls=(trial.step.probe_call(),), expect=(Expectation(result="SELECT NOT EXISTS (SELECT 1 FROM result)"),)
    )


def _holds(result: object, text: str) -> bool:
    items = result.get("items", []) if isinstance(result, dict) else []
    return any(text in value for item in items for value in item.values() if isinstance(value, str))
