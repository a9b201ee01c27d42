"""Tools put together from contract and written steps, and whether a group of them holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....environments.models import EnvironmentSpec, Tool
from ....environments.package import Environment
from ...tester import run_gates
from ...tester.gates.compile import Compile
from ...tester.gates.contract import Contract
from ..architect.sketch import bounded, built, told
from .drafts import WrittenTool, WrittenTools

_GATES = (Compile(), Contract())


def tools_of(contracts: Mapping[str, Tool], written: WrittenTools) -> tuple[Tool, ...]:
    return tuple(_tool(contracts[tool.name], tool) for tool in written.tools if tool.name in contracts)


def _tool(contract: Tool, written: WrittenTool) -> Tool:
    return contract.model_copy(
        update={
            "params": {**contract.params, **written.params},
            "required": contract.required if written.required is None else written.required,
            "steps": tuple(step.step() for step in written.steps),
            "returns": written.returns,
            "contract": contract.contract if written.contract is None else written.contract,
        }
    )


def static_problems(environment: Environment, names: Sequence[str]) -> Iterator[str]:
    """What the cheap gates find in these tools of an environment that builds."""
    for finding in run_gates(environment, gates=_GATES).findings:
        place = finding.where.split(".")
        if len(place) > 1 and place[0] == "tools" and place[1] in names:
            yield f"{finding.where}: {finding.message}"


@dataclass(frozen=True)
class ToolsCheck:
    """Checks the tools of one group against the schema. `results`: tool → columns that its contract promises."""

    spec: EnvironmentSpec
    schema_sql: str
    contracts: Mapping[str, Tool]
    results: Mapping[str, Sequence[str]]

    def __call__(self, draft: WrittenTools) -> list[str]:
        names = [tool.name for tool in draft.tools]
        problems = list(self._names(names))
        if problems:
            return bounded(problems)
        found = built(self.spec, self.schema_sql, tools=tools_of(self.contracts, draft))
        if not isinstance(found, Environment):
            return [problem.removeprefix("tools.yaml: ") for problem in told(found)]
        return bounded([*static_problems(found, names), *self._results(found)])

    def _names(self, names: Sequence[str]) -> Iterator[str]:
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"tools.{name}: stands there twice."
        for name in sorted(set(names) - self.contracts.keys()):
            yield f"tools.{name}: is no tool of this group ({', '.join(self.contracts)})."
        missing = [name for name in self.contracts if name not in names]
        if missing:
            yield f"tools: {', '.join(missing)} are missing."

    def _results(self, environment: Environment) -> Iterator[str]:
        for name, plan in environment.plans.items():
            promised, result = self.results.get(name, ()), plan.result
            if plan.tool.kind == "read" and result is None:
                yield f"tools.{name}.returns: a read tool returns something."
            if result is None or plan.tool.returns is None or result.kind == "value":
                continue
            missing = [column for column in promised if column not in result.columns]
            if missing:
                yield f"tools.{name}.returns: the contract promises {', '.join(missing)}, which the query lacks."
            if result.kind == "many" and plan.tool.returns.order is None:
                yield f"tools.{name}.returns: `many` needs `order`, ending in a unique column."
