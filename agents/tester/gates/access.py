"""Access: calls that cross from one actor to another, by construction.

- An actor without the role is refused.
- A parameter with a scope refuses another's row with the scope's code.
- Where reads refuse another's rows, no other read shows them, whatever it was asked.
- Where sibling tools let an actor touch only its own rows of a table, a tool that does not look at the actor lets it
  change another's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....environments.models import Actor, Expectation, Finding, Param, Probe
from ....environments.models.tools import ErrorCode
from ....environments.resolution import ResolvedTool
from ..actors import actors_by_role
from ..base import GateContext
from ..crossing import Gap, foreign_key, unguarded
from ..fuzzing.findings import sighted
from ..fuzzing.steps import Step
from ..ownership import admitted
from ..privacy import Shown, shown_rows
from ..stage import Outcome, Stage
from ..trials import Trial, Trials

NAME = "access"
_ASKING = 2
"""Actors of a role that ask for a whole list."""


class Access:
    name = NAME

    def run(self, context: GateContext) -> list[Finding]:
        trials = Trials(context.anatomy, context.seed)
        found = sighted(context.campaign, NAME, lambda symptom: symptom.kind == "result_leaks")
        seen = {finding.where for finding in found}
        found += [leak for leak in _leaks(context, trials) if leak.where not in seen]
        for tool in context.environment.tools.values():
            found += _outsiders(context, tool)
            for name, param in tool.params.items():
                found += _scoped(context, trials, tool, name, param)
            found += _unscoped(context, trials, tool)
        return found


_REFUSED: tuple[ErrorCode, ...] = ("forbidden", "not_found")


def _finding(kind: str, where: str, message: str, step: Step, codes: tuple[ErrorCode, ...] = _REFUSED) -> Finding:
    return Finding(
        kind=kind,
        severity="blocker",
        where=where,
        message=message,
        source=f"gate:{NAME}",
        probe=Probe(calls=(step.probe_call(),), expect=(Expectation(fails=codes),)),
        confirmed=True,
    )


def _leaks(context: GateContext, trials: Trials) -> Iterator[Finding]:
    """Whole lists that show rows which other reads refuse: the fuzzer may have asked only for parts of them."""
    with Stage(context.environment) as seed:
        for name, every in shown_rows(context.anatomy).items():
            found = (_leak(trials, seed, context.environment.tools[name], shown) for shown in every)
            yield from (leak for leak in found if leak is not None)


def _leak(trials: Trials, seed: Stage, tool: ResolvedTool, shown: Shown) -> Finding | None:
    page = {"limit": tool.page.max} if tool.page is not None else {}
    optional = frozenset(tool.params) - set(tool.required) | {"offset", "sort"}
    for actor in trials.actors[shown.owner.role][:_ASKING]:
        foreign = partial(_foreign, seed, shown, actor)
        trial = trials.through(tool, actor=actor, fixed=page, without=optional, accept=foreign, tries=8)
        if trial is not None and actor.roles == (shown.owner.role,):
            probe = Probe(
                actor=actor, calls=(trial.step.probe_call(),), expect=(Expectation(result=shown.own_rows_only),)
            )
            return Finding(
                kind="result_leaks",
                severity="blocker",
                where=f"tools.{tool.name}.returns",
                message=shown.told(tool.name),
                source=f"gate:{NAME}",
                probe=probe,
                confirmed=True,
            )
    return None


def _foreign(seed: Stage, shown: Shown, actor: Actor, done: Outcome) -> bool:
    return shown.foreign(seed, actor, done.result.value)


def _outsiders(context: GateContext, tool: ResolvedTool) -> Iterator[Finding]:
    """Actors of roles that the tool does not admit, through an episode as a solver would have it."""
    allowed = admitted(context.anatomy.spec, tool)
    for role, actors in actors_by_role(context.anatomy, 1).items():
        if role in allowed or not actors:
            continue
        with context.environment.open(actor=actors[0]) as episode:
            offered = any(definition["name"] == tool.name for definition in episode.tools)
            result = episode.call(tool.name)
        if offered or result.ok:
            message = f"{tool.name} is open to {role}, whom its roles leave out."
            yield _finding("role_admitted", f"tools.{tool.name}.roles", message, Step(tool.name, {}, actors[0]))


def _scoped(context: GateContext, trials: Trials, tool: ResolvedTool, name: str, param: Param) -> Iterator[Finding]:
    source = param.items if param.items is not None else param
    if source.scope is None or source.ref is None:
        return
    roles = [role for role in source.scope.roles or admitted(context.anatomy.spec, tool)]
    actors = [actor for role in roles for actor in trials.actors.get(role, ())[:2] if _may(context, tool, actor)]
    for actor in actors:
        key = foreign_key(context.anatomy, source.ref, source.scope.where, actor)
        if key is None:
            continue
        value = [key] if param.items is not None else key
        trial = trials.through(tool, actor=actor, fixed={name: value}, tries=8)
        if trial is not None:
            message = f"{tool.name} takes {source.ref} {key}, which is not its caller's, as {name}."
            where = f"tools.{tool.name}.params.{name}.scope"
            yield _finding("scope_let_through", where, message, trial.step, (source.scope.code,))
            return


def _may(context: GateContext, tool: ResolvedTool, actor: Actor) -> bool:
    return bool(set(actor.roles) & set(admitted(context.anatomy.spec, tool)))


def _unscoped(context: GateContext, trials: Trials, tool: ResolvedTool) -> Iterator[Finding]:
    """Tools that change rows that others own, found by making such a change."""
    if tool.kind != "write":
        return
    for gap in unguarded(context.anatomy, tool):
        trial = next(
            filter(None, (_cross(context, trials, gap, actor) for actor in trials.actors[gap.owner.role])), None
        )
        if trial is not None:
            owner, guarded = gap.owner, ", ".join(gap.owner.guarded)
            message = (
                f"{tool.name} lets a {owner.role} act on another's row of {owner.table}; {guarded} would refuse."
            )
            yield _finding("missing_actor_scope", f"tools.{tool.name}.params.{gap.param}", message, trial.step)
            return


def _cross(context: GateContext, trials: Trials, gap: Gap, actor: Actor) -> Trial | None:
    """A call by which `actor` changes something by way of another's row."""
    key = foreign_key(context.anatomy, f"{gap.owner.table}.{gap.column}", gap.owner.where, actor)
    if key is None:
        return None
    fixed = {gap.param: [key] if gap.listed else key}
    tool = context.environment.tools[gap.tool]
    return trials.through(tool, actor=actor, fixed=fixed, accept=lambda done: bool(done.changes))
