"""Edits of a tool's JSON: parts that are replaced, put in, taken out, or reworded."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....environments.errors import EnvolveError
from .drafts import ToolEdit


class PatchProblem(EnvolveError):
    """A patch that cannot be applied."""


class _Target(NamedTuple):
    """Where in a tool an edit is to be made."""

    holder: Any
    key: str


def put(data: dict[str, Any], edit: ToolEdit) -> None:
    """Make an edit in the JSON of a tool. Errors: PatchProblem for a place that is not there."""
    target = _found(data, edit)
    if edit.replace:
        edit = edit.model_copy(update={"value": _reworded(edit, _standing(target, edit))})
    if isinstance(target.holder, dict):
        if edit.value is None:
            target.holder.pop(target.key, None)
        else:
            target.holder[target.key] = edit.value
        return
    if not isinstance(target.holder, list) or not target.key.isdecimal():
        raise _nowhere(edit, target.key)
    index, length = int(target.key), len(target.holder)
    if index > length - (0 if edit.insert else 1):
        raise _nowhere(edit, f"{target.key}, of {length}")
    end = index if edit.insert else index + 1
    target.holder[index:end] = [] if edit.value is None else [edit.value]


def _found(data: dict[str, Any], edit: ToolEdit) -> _Target:
    *path, last = edit.place.split(".")
    holder: Any = data
    for number, key in enumerate(path):
        if isinstance(holder, dict):
            # Fields at their default are left out of the JSON.
            empty: list[Any] | dict[str, Any] = [] if key == "steps" else {}
            holder = holder.setdefault(key, empty) if number == 0 else holder.get(key)
        elif isinstance(holder, list) and key.isdecimal() and int(key) < len(holder):
            holder = holder[int(key)]
        else:
            raise _nowhere(edit, key)
    if len(path) == 0 and last == "steps" and not isinstance(edit.value, list):
        raise _nowhere(edit, "steps without a number")
    return _Target(holder, last)


def _standing(target: _Target, edit: ToolEdit) -> Any:
    holder, key = target
    if isinstance(holder, dict) and key in holder:
        return holder[key]
    if isinstance(holder, list) and key.isdecimal() and int(key) < len(holder):
        return holder[int(key)]
    raise _nowhere(edit, key)


def _reworded(edit: ToolEdit, text: Any) -> str:
    place = f"edits: {edit.tool}.{edit.place}"
    if not isinstance(text, str):
        raise PatchProblem(f"{place}: replace is for texts; give the place of one, such as returns.many.")
    for each in edit.replace:
        count = text.count(each.find)
        if count != 1:
            raise PatchProblem(
                f"{place}: {each.find!r} stands there {count} times; give words that stand there once."
            )
        text = text.replace(each.find, each.by)
    return str(text)


def _nowhere(edit: ToolEdit, key: str) -> PatchProblem:
    return PatchProblem(f"edits: {edit.tool}.{edit.place}: there is no {key}.")
