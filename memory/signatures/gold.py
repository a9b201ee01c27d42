"""What solving a task takes: gold's data flow over the kinds of tools it calls, and what it is aimed at."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx

from ...environments.canonical import canonical_json
from ...environments.models import CallStep, PickStep, SubmitStep, Task
from ...environments.sql_text import words
from .base import digest, neighbourhoods, weighted
from .tools import ToolShape

_DEPTH = 3
_REFERENCE = re.compile(r"(?<![\w$])\$([a-z][a-z0-9_]*)")
_SQL_MARKS = {
    "order",
    "limit",
    "where",
    "join",
    "group",
    "having",
    "min",
    "max",
    "sum",
    "count",
    "avg",
    "like",
    "distinct",
}


def shape_features(task: Task, tools: Mapping[str, ToolShape]) -> dict[str, float]:
    """The shape of one task: names, values and the order of independent steps do not matter."""
    found = neighbourhoods(_flow(task, tools), _DEPTH)
    flow = ((hash_, 1.0) for hashes in found.values() for hash_ in hashes)
    return weighted([*flow, *((condition, 2.0) for condition in _conditions(task))])


def target_features(task: Task) -> dict[str, float]:
    """What one task is aimed at: the actor's roles, literal arguments, what may change, what is to be handed in.
    Who of several staff is asked makes no difference.

    Data, faults or a simulated person of its own weigh half as much as all that: with other ones it is another task.
    """
    targets = [(target, 1.0) for target in _targets(task)]
    own = [sorted(task.setup), task.faults, task.user]
    return weighted([*targets, *([(f"own {digest(own)}", len(targets) / 2)] if any(own) else [])])


def _flow(task: Task, tools: Mapping[str, ToolShape]) -> nx.Graph[str]:
    graph: nx.Graph[str] = nx.Graph()
    defined = dict[str, str]()
    for place, step in enumerate(task.gold):
        node, (label, uses, name) = str(place), _step(task, step, tools)
        graph.add_node(node, label=label)
        for used in uses:
            if used in defined:
                graph.add_edge(defined[used], node, label="flow")
        if name:
            defined[name] = node
    return graph


def _step(task: Task, step: Any, tools: Mapping[str, ToolShape]) -> tuple[str, set[str], str | None]:
    """A step's label, the names it uses, and the name it defines."""
    if isinstance(step, CallStep):
        role = tools[step.call].role if step.call in tools else "unknown"
        each = set(_REFERENCE.findall(step.each or ""))
        label = f"call {role} {len(step.args)}{' each' if step.each else ''}"
        return label, {*_REFERENCE.findall(json.dumps(step.args)), *each}, step.as_
    if isinstance(step, PickStep):
        marks = sorted({word for word, _ in words(step.sql)} & _SQL_MARKS)
        return f"pick {marks} {step.many}", set(_REFERENCE.findall(step.sql)), step.pick
    assert isinstance(step, SubmitStep)
    answer = task.verifier.answer.kind
    return f"submit {step.submit.status} {answer}", set(_REFERENCE.findall(json.dumps(step.submit.answer))), None


def _conditions(task: Task) -> Iterator[str]:
    for sql in task.setup:
        yield f"setup {next((word for word, _ in words(sql)), '')}"
    for fault in task.faults:
        yield f"fault {sorted(fault)}"
    if task.user is not None:
        yield "user"
    yield f"checks {len(task.verifier.require)}"


def _targets(task: Task) -> Iterator[str]:
    verifier = task.verifier
    yield f"actor {canonical_json(task.actor.roles)}"
    yield f"submit {canonical_json(verifier.submit)}"
    yield f"answer {canonical_json(verifier.answer)}"
    yield from (f"allow {canonical_json(allow)}" for allow in verifier.allow)
    yield from (f"require {check.sql}" for check in verifier.require)
    for step in task.gold:
        if isinstance(step, CallStep):
            yield from (
                f"{step.call} {name} {canonical_json(value)}" for name, value in step.args.items() if _literal(value)
            )


def _literal(value: Any) -> bool:
    return not _REFERENCE.search(json.dumps(value))
