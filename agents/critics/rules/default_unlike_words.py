"""A default, or a bound, that is not the one in the description.

Stands for wrong defaults: "Items to show (default 10)" with `default: 20`, "rating from 1 to 5" with `maximum: 4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ....environments.models import Finding, Param
from ..reading.base import Context, again, finding

KIND = "default_unlike_words"
_DEFAULT = re.compile(r"\b(?:default(?:s)?(?: is| to|:)?|by default) ['\"]?([\w-]+)", re.IGNORECASE)
_RANGE = re.compile(r"\b(\d+) ?(?:to|-|–|through) ?(\d+)\b")


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        for param_name, param in tool.params.items():
            for problem in (_default(param), _range(param)):
                if problem is not None:
                    message = f"{name}: {param_name} is described as {param.description!r}, but {problem}."
                    where = f"tools.{name}.params.{param_name}"
                    yield finding(KIND, "major", where, message, probe=again(KIND))


def _default(param: Param) -> str | None:
    said = _DEFAULT.search(param.description)
    if said is None or said[1].lower() in ("all", "none", "no", "the", "any", "it", "every", "is", "to", "today"):
        return None
    if param.default is None:
        return None if not (said[1].isdigit() or (param.enum and said[1] in param.enum)) else "has no default"
    given = str(param.default).lower()
    return None if said[1].lower() == given else f"the default is {param.default!r}"


def _range(param: Param) -> str | None:
    said = _RANGE.search(param.description)
    if said is None or param.type not in ("integer", "number") or (param.minimum is None and param.maximum is None):
        return None
    low, high = float(said[1]), float(said[2])
    if low >= high:
        return None
    if param.minimum not in (None, low):
        return f"the minimum is {param.minimum:g}"
    return f"the maximum is {param.maximum:g}" if param.maximum not in (None, high) else None
