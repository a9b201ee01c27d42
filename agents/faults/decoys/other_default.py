"""Another sensible default, which the description names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.models import Param
from ....environments.package import Environment
from ..base import DecoyChange
from ..slots import with_param


class OtherDefault:
    kind = "other_default"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for tool in environment.tools.values():
            for name, param in tool.params.items():
                other = _other(param)
                # What the tool's description says of the default would have to change with it.
                if other is not None and str(param.default) not in tool.description:
                    described = _described(param, other)
                    changed = with_param(
                        tool, name, param.model_copy(update={"default": other, "description": described})
                    )
                    note = f"default {param.default!r} became {other!r}"
                    yield DecoyChange(f"tools.{tool.name}.params.{name}", note, tool=changed)


def _other(param: Param) -> int | None:
    """A number a little larger, within the parameter's bounds."""
    default = param.default
    if param.type != "integer" or isinstance(default, bool) or not isinstance(default, int):
        return None
    other = default + max(1, default // 2)
    return other if param.maximum is None or other <= param.maximum else None


def _described(param: Param, other: int) -> str:
    """The description with the new default in place of the old one, or added."""
    named = re.sub(rf"\b{param.default}\b", str(other), param.description)
    return named if named != param.description else f"{param.description.rstrip('.')} ({other} unless given)."
