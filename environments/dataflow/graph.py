"""The data-flow graph of a gold program."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..gold import GoldRun, names_in, names_in_sql
from ..models import CallStep, PickStep, SubmitStep, Task

if TYPE_CHECKING:
    import networkx

    from ..package import Environment


def gold_graph(environment: Environment, task: Task, run: GoldRun) -> networkx.DiGraph[int]:
    """Nodes are the program's calls and picks, by index of their step; edges say whose result goes into what.

    Nodes carry `kind` (`call`, `pick`), `name` (of the tool or the pick), `writes` and `turns` (how often it ran in
    `run`: 0 if it did not get there). Values that find their way through constants are not seen.
    """
    import networkx

    turns = Counter([call.step for call in run.steps] + [pick.step for pick in run.chosen])
    graph: networkx.DiGraph[int] = networkx.DiGraph()
    maker: dict[str, int] = {}
    for index, step in enumerate(task.gold):
        if isinstance(step, SubmitStep):
            continue
        plan = environment.plans.get(step.call) if isinstance(step, CallStep) else None
        graph.add_node(
            index,
            kind="call" if isinstance(step, CallStep) else "pick",
            name=step.call if isinstance(step, CallStep) else step.pick,
            writes=plan is not None and plan.writes,
            turns=turns[index],
        )
        graph.add_edges_from((maker[name], index) for name in sorted(_uses(step)) if name in maker)
        made = step.as_ if isinstance(step, CallStep) else step.pick
        if made is not None:
            maker[made] = index
    return graph


def _uses(step: CallStep | PickStep) -> set[str]:
    if isinstance(step, PickStep):
        return names_in_sql(step.sql)
    return names_in(step.args) | (names_in(step.each) if step.each else set())
