"""The parameters that a call can give."""

from __future__ import annotations

from ....environments.models import OrderOptions, Param
from ....environments.resolution import ResolvedTool


def params_of(tool: ResolvedTool) -> dict[str, Param]:
    """A tool's parameters, those that the runtime adds for order and pages among them."""
    added: dict[str, Param] = {}
    if tool.returns is not None and isinstance(tool.returns.order, OrderOptions):
        added["sort"] = Param(type="string", enum=tuple(tool.returns.order.options))
    page = tool.page
    if page is not None:
        added["limit"] = Param(type="integer", minimum=1, maximum=page.max)
        added["offset"] = Param(type="integer", minimum=0, maximum=page.default)
    return {**tool.params, **added}
