"""A script of calls by several actors, shown as it goes: what `envolve check` prints for a finding."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envolve.display import shortened

from .output import print_json, say

if TYPE_CHECKING:
    from envolve.environments.models import RowChange
    from envolve.scripting import ScriptCall


def play_script(path: Path, task: str | None, calls: Sequence[ScriptCall], *, as_json: bool) -> None:
    """Calls by the actors that they name, in one fresh world. No rollout, so that nothing passes or fails."""
    from envolve.packages import load_one
    from envolve.scripting import play

    environment = load_one(path, task, again="envolve solve {env} --script …")
    made = list[dict[str, Any]]()
    for (name, args, actor), (result, changes) in play(environment, task, calls):
        answer = result.payload()
        who = {"roles": list(actor.roles), "id": actor.id} if actor is not None else None
        made.append({"call": name, "args": args, "actor": who, "ok": result.ok, "result": answer})
        if not as_json:
            by = f"{'+'.join(actor.roles)} {actor.id}: " if actor is not None else ""
            say(f"{by}{name} {compact(args)}")
            say(f"    → {compact(answer)}")
            show_changes(changes)
    if as_json:
        print_json({"results": [], "calls": made})


def show_changes(changes: Sequence[RowChange]) -> None:
    for change in changes:
        say(f"    {change.op} {change.table} {compact(change.key)} {compact(change.new or change.old)}")


def compact(value: Any) -> str:
    """A value as one line, cut where it is long."""
    return shortened(json.dumps(value, ensure_ascii=False, default=repr), 300)
