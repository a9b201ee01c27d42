"""Numbers that describe how a task is built, for predicting how hard it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gold import GoldRun
from ..models import CallStep, PickStep, Task
from .entities import touched_entities
from .graph import gold_graph
from .near_misses import near_misses
from .sql_shape import aggregates, conditions
from .terminal import irreversible_calls

if TYPE_CHECKING:
    import networkx

    from ..package import Environment


def structure_features(environment: Environment, task: Task, run: GoldRun) -> dict[str, float]:
    """Structure of a task, from its executed gold program:

    | feature         | what                                                                                  |
    |-----------------|---------------------------------------------------------------------------------------|
    | calls           | tool calls made, repetitions counted                                                  |
    | distinct_tools  | different tools among them                                                            |
    | writes          | calls of write tools                                                                  |
    | picks           | choices made from what was seen                                                       |
    | critical_path   | calls on the longest chain of data flow                                               |
    | chained_lookups | reads that need what an earlier read returned                                         |
    | entities        | different rows that were pointed at by arguments or changed                           |
    | fan_in          | most rows that one pick ordered, counted or added up                                  |
    | conditions      | conditions in picks, and constant arguments of reads                                  |
    | policy_rules    | rules in play, as the task's plan tells; at least the one a refusal names             |
    | near_misses     | rows that fit all but one attribute of a referring phrase (at most 20 a phrase)       |
    | tools_offered   | tools that the actor sees, `submit` aside                                             |
    | irreversible    | calls that delete rows or bring a status into a value that no tool leads out of       |
    | recoveries      | calls that gold had to make again, and stale answers that the episode injects         |
    | answer_parts    | values that the answer asks for (one for a list, set or table column)                 |
    """
    graph = gold_graph(environment, task, run)
    picks = {index: step for index, step in enumerate(task.gold) if isinstance(step, PickStep)}
    return {
        "calls": float(run.calls),
        "distinct_tools": float(len({call.call for call in run.steps})),
        "writes": float(sum(environment.writes(call.call) for call in run.steps)),
        "picks": float(len(run.chosen)),
        "critical_path": float(_critical_path(graph)),
        "chained_lookups": float(_chained_lookups(graph)),
        "entities": float(len(touched_entities(environment, run))),
        "fan_in": float(_fan_in(run, picks)),
        "conditions": float(_conditions(environment, task, picks)),
        "policy_rules": float(_policy_rules(task)),
        "near_misses": float(near_misses(environment, task)),
        "tools_offered": float(sum(plan.admits(task.actor.roles) for plan in environment.plans.values())),
        "irreversible": float(irreversible_calls(environment, run)),
        "recoveries": float(_recoveries(task, run)),
        "answer_parts": float(_answer_parts(task)),
    }


def _critical_path(graph: networkx.DiGraph[int]) -> int:
    """Calls on the longest path; picks cost nothing."""
    import networkx

    longest: dict[int, int] = {}
    for node in networkx.topological_sort(graph):
        before = max((longest[other] for other in graph.predecessors(node)), default=0)
        longest[node] = before + (graph.nodes[node]["kind"] == "call")
    return max(longest.values(), default=0)


def _chained_lookups(graph: networkx.DiGraph[int]) -> int:
    import networkx

    reads: set[int] = {node for node, data in graph.nodes.items() if data["kind"] == "call" and not data["writes"]}
    feeding: dict[int, set[int]] = {}
    for node in networkx.topological_sort(graph):
        feeding[node] = {node}.union(*(feeding[other] for other in graph.predecessors(node)))
    return sum(len(reads & feeding[node]) > 1 for node in reads)


def _fan_in(run: GoldRun, picks: dict[int, PickStep]) -> int:
    sizes = [sum(pick.sources.values()) for pick in run.chosen if aggregates(picks[pick.step].sql)]
    return max(sizes, default=0)


def _conditions(environment: Environment, task: Task, picks: dict[int, PickStep]) -> int:
    found = sum(conditions(pick.sql) for pick in picks.values())
    for step in task.gold:
        if isinstance(step, CallStep) and step.call in environment.plans and not environment.writes(step.call):
            found += sum(not (isinstance(value, str) and value.startswith("$")) for value in step.args.values())
    return found


def _policy_rules(task: Task) -> int:
    told = task.plan.get("policy_rules", ())
    return max(len(told) if isinstance(told, list | tuple) else 0, task.verifier.submit.reason is not None)


def _recoveries(task: Task, run: GoldRun) -> int:
    failed = sum(not call.result.ok for call in run.steps)
    given_up = run.failure is not None and bool(run.steps) and not run.steps[-1].result.ok
    stale = [fault for fault in task.faults if fault.get("kind") == "stale"]
    return failed - given_up + len(stale)


def _answer_parts(task: Task) -> int:
    answer = task.verifier.answer
    by_kind = {"none": 0, "object": len(answer.fields), "rows": len(answer.columns)}
    return by_kind.get(answer.kind, 1)
