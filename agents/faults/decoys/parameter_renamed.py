"""A parameter under another name, in the tool and in the solutions that give it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ....environments.models import CallStep, Task
from ....environments.package import Environment
from ....environments.resolution import ResolvedTool
from ..base import DecoyChange

_RENAMED = {
    "note": "remark",
    "reason": "explanation",
    "title": "heading",
    "text": "wording",
    "quantity": "how_many",
    "starts_at": "beginning_at",
    "party": "party_size",
    "query": "search_text",
    "comment": "remark",
    "body": "wording",
    "amount": "sum_paid",
    "email": "mail_address",
    "phone": "telephone",
    "on_date": "on_day",
    "from_date": "first_day",
    "to_date": "last_day",
}
"""Words for words: a name says as much after as before."""


class ParameterRenamed:
    kind = "parameter_renamed"

    def sites(self, environment: Environment) -> Iterator[DecoyChange]:
        for tool in environment.tools.values():
            for old, new in _RENAMED.items():
                if old in tool.params and not _taken(tool, old, new):
                    tasks = tuple(_following(task, tool.name, old, new) for task in environment.tasks.values())
                    changed = _renamed(tool, old, new)
                    note = f"{old} is now called {new}"
                    yield DecoyChange(f"tools.{tool.name}.params.{new}", note, tool=changed, tasks=tasks)


def _taken(tool: ResolvedTool, old: str, new: str) -> bool:
    """Whether the new name is in use, or the old one stands in a text that would have to change with it."""
    text = json.dumps(tool.model_dump(mode="json", by_alias=True))
    spoken = " ".join([tool.description, *(param.description for param in tool.params.values())])
    return new in tool.params or f":{new}" in text or f"{{{new}}}" in text or ("_" in old and old in spoken)


def _renamed(tool: ResolvedTool, old: str, new: str) -> ResolvedTool:
    written = tool.model_dump(by_alias=True, exclude_unset=True)
    written["params"] = {new if name == old else name: param for name, param in written["params"].items()}
    written["required"] = tuple(new if name == old else name for name in written.get("required", ()))
    for part in ("steps", "returns"):
        text = json.dumps(written.get(part))
        text = re.sub(rf":(given_)?{old}\b", lambda found: f":{found[1] or ''}{new}", text)
        written[part] = json.loads(text.replace(f"{{{old}}}", f"{{{new}}}"))
    return ResolvedTool.model_validate(written)


def _following(task: Task, tool: str, old: str, new: str) -> Task:
    gold = tuple(
        step.model_copy(update={"args": {new if name == old else name: given for name, given in step.args.items()}})
        if isinstance(step, CallStep) and step.call == tool
        else step
        for step in task.gold
    )
    return task.model_copy(update={"gold": gold})
