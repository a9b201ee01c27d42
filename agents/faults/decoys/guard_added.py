"""A rule more, with its guard, its message, and its sentence in the policy and in the description."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Require
from ....environments.models.tools import Failure
from ....environments.package import Environment
from ....environments.resolution import ResolvedTool
from ..base import DecoyChange

_LONGEST, _SHORTEST = 400, 100
"""Characters that a text without a limit may have from now on, and the least that a limit is worth halving for."""


class GuardAdded:
    kind = "guard_added"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        number = sum(line[:1].isdigit() for line in environment.spec.policy.splitlines()) + 1
        for tool in environment.tools.values():
            for name, param in tool.params.items() if tool.kind == "write" else ():
                longest = param.max_length // 2 if param.max_length else _LONGEST
                if param.type == "string" and longest >= _SHORTEST and not (param.enum or param.format):
                    yield _guarded(environment, tool, name, number, longest)


def _guarded(environment: Environment, tool: ResolvedTool, name: str, number: int, longest: int) -> DecoyChange:
    said = name.replace("_", " ")
    guard = Require(
        require=f"SELECT coalesce(length(:{name}), 0) <= {longest}",
        error=Failure(code="invalid_argument", message=f"The {said} has more than {longest} characters."),
    )
    changed = tool.model_copy(
        update={
            "steps": (guard, *tool.steps),
            "description": f"{tool.description} The {said} has at most {longest} characters.",
        }
    )
    rule = f"{number}. {said.capitalize()} given to {tool.name} has at most {longest} characters.\n"
    policy = f"{environment.spec.policy.rstrip()}\n{rule}".lstrip()
    spec = environment.spec.model_copy(update={"policy": policy})
    return DecoyChange(f"tools.{tool.name}.steps.0", f"a longest {said}", tool=changed, spec=spec)
