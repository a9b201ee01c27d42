"""Lists that show more rows at a time."""

from __future__ import annotations

from collections.abc import Iterator

from ....environments.models import Page
from ....environments.package import Environment
from ..base import DecoyChange


class WiderPage:
    kind = "wider_page"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for tool in environment.tools.values():
            page = tool.returns.page if tool.returns is not None else None
            if tool.returns is None or page is None or str(page.default) in tool.description:
                continue
            wider = Page(default=min(page.default + 5, page.max), max=page.max)
            changed = tool.model_copy(update={"returns": tool.returns.model_copy(update={"page": wider})})
            note = f"{wider.default} rows at a time instead of {page.default}"
            if wider != page:
                yield DecoyChange(f"tools.{tool.name}.returns", note, tool=changed)
