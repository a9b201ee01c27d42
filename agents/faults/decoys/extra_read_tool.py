"""One more tool that reads: a list that there is already, under another name and in larger pages."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Page
from ....environments.package import Environment
from ..base import DecoyChange


class ExtraReadTool:
    kind = "extra_read_tool"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for tool in environment.tools.values():
            name = f"browse_{tool.name.partition('_')[2] or tool.name}"
            many = tool.returns is not None and tool.returns.many is not None
            if tool.kind == "read" and many and tool.returns is not None and name not in environment.tools:
                returns = tool.returns.model_copy(update={"page": Page(default=40, max=100)})
                said = f"{tool.description.rstrip('.')}. Shows 40 at a time unless asked for fewer or more."
                added = tool.model_copy(update={"name": name, "description": said, "returns": returns})
                yield DecoyChange(f"tools.{name}", f"{tool.name} in larger pages", added=added)
