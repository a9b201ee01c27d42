"""Whether contracts fit the schema, the roles and the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ....environments.models import EnvironmentSpec, Param, Returns, Tool
from ....environments.package import Environment
from .drafts import ContractDraft, ContractsDraft, GroupPlan
from .sketch import bounded, built, told


@dataclass(frozen=True)
class ContractCheck:
    """Checks the contracts of `group`. `elsewhere`: names of the tools of other groups; `requirements`: known ids."""

    spec: EnvironmentSpec
    schema_sql: str
    group: GroupPlan
    elsewhere: frozenset[str]
    requirements: frozenset[str]

    def __call__(self, draft: ContractsDraft) -> list[str]:
        return bounded(
            [*self._names(draft), *contract_problems(self.spec, self.schema_sql, draft.tools, self.requirements)]
        )

    def _names(self, draft: ContractsDraft) -> Iterator[str]:
        names = [tool.name for tool in draft.tools]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"tools.{name}: stands there twice; one tool for one purpose."
        for name in sorted(self.elsewhere & set(names)):
            yield f"tools.{name}: another group has this tool; leave it out here."
        missing = [name for name in self.group.tools if name not in names]
        if missing:
            yield f"tools: {', '.join(missing)} of this group are missing."


def contract_problems(
    spec: EnvironmentSpec, schema_sql: str, tools: Sequence[ContractDraft], requirements: Iterable[str]
) -> list[str]:
    """What is wrong with contracts, whatever group they belong to."""
    stand_ins = [_stand_in(tool) for tool in tools]
    problems = [problem for tool in tools for problem in _told(tool, set(requirements))]
    if len({tool.name for tool in tools}) < len(tools):
        return problems
    found = built(spec, schema_sql, tools=stand_ins)
    if not isinstance(found, Environment):
        return [*problems, *(problem.removeprefix("tools.yaml: ") for problem in told(found))]
    tables = found.tables()
    for tool in tools:
        unknown = [name for name in tool.reads if name not in tables]
        if unknown:
            problems.append(f"tools.{tool.name}.reads: {', '.join(unknown)} are no tables.")
    return problems


def contract_of(draft: ContractDraft) -> Tool:
    """The tool without steps and result, as a blueprint holds it."""
    return Tool(
        name=draft.name,
        description=draft.description,
        kind=draft.kind,
        roles=draft.roles or None,
        params=dict(draft.params),
        required=draft.required,
        contract=draft.contract,
        distractor=not draft.serves,
    )


def _stand_in(draft: ContractDraft) -> Tool:
    """A tool that takes and promises the same and does nothing: what `do` it has is not known yet."""
    return contract_of(draft).model_copy(update={"kind": "read", "returns": Returns(value="SELECT 1")})


def _told(tool: ContractDraft, requirements: set[str]) -> Iterator[str]:
    place = f"tools.{tool.name}"
    written = [table for table, what in tool.contract.items() if what.insert or what.update or what.delete]
    if tool.kind == "write" and not written:
        yield f"{place}.contract: a write tool says what it writes; if it writes nothing, its kind is read."
    if tool.kind == "read" and written:
        yield f"{place}.contract: a read tool writes nothing, so {', '.join(written)} cannot stand there."
    if not tool.result and tool.kind == "read":
        yield f"{place}.result: a read tool returns something; name its columns."
    unknown = [id_ for id_ in tool.serves if id_ not in requirements]
    if unknown:
        yield f"{place}.serves: there is no requirement {', '.join(unknown)}."
    for name, param in tool.params.items():
        yield from _param(f"{place}.params.{name}", name, param)


def _param(place: str, name: str, param: Param) -> Iterator[str]:
    if not param.description:
        yield f"{place}: needs a description."
    ref = param.ref or (param.items.ref if param.items else None)
    if name.endswith(("_id", "_ids")) and ref is None:
        yield f"{place}: names rows, so it needs ref (`table.column`), in `items` if it is a list."
