"""Writing gold: find steps and workflow steps as one program, names kept apart, values filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from ....environments.canonical import sha256
from .formats import fill_value, names_in
from .references import Reference
from .sqltext import inline
from .workflows import Step

REFERENCE = re.compile(r"\$([a-z_]\w*)(\.id\b)?")


class Program:
    """A gold program in the making. `steps` are plain mappings; the submit step is the caller's. `picks`: pick
    that ends a look-up → how indirect its phrase is, phrases within it aside."""

    def __init__(self, today: date) -> None:
        self.steps: list[Step] = []
        self.picks: dict[str, int] = {}
        self._today = today
        self._taken: set[str] = set()
        self._found: dict[str, str] = {}

    def find(self, reference: Reference, name: str, known: Mapping[str, str]) -> str:
        """Adds the steps that look a reference up; returns the name of its pick. The same look-up is written once.
        `known` are rows found before, which the look-up may start from."""
        key = sha256([reference.table, reference.rows, reference.steps, reference.phrase])
        if key not in self._found:
            names = self.block(reference.steps, reference.values, finds=reference.nested, known=known, last=name)
            self._found[key] = names[reference.pick]
            self.picks[self._found[key]] = reference.way_indirect
        return self._found[key]

    def block(
        self,
        steps: Iterable[Step],
        values: Mapping[str, Any],
        *,
        finds: Mapping[str, Reference] | None = None,
        known: Mapping[str, str] | None = None,
        last: str = "",
    ) -> dict[str, str]:
        """Adds steps; returns the names that they got. `known` are names that stand already (`booking` → a pick);
        `last` is what the last step's pick is to be called. Arguments whose value is absent are left out."""
        steps = list(steps)
        names = dict(known or {})
        many = {name for name, reference in (finds or {}).items() if reference.many}
        for index, step in enumerate(steps):
            if "find" in step:
                slot = step["find"]
                if slot not in names:
                    names[slot] = self.find((finds or {})[slot], slot, names)
            elif "pick" in step:
                wanted = last if last and index == len(steps) - 1 else step["pick"]
                self._pick(step, wanted, names, values)
            else:
                self._call(step, names, values, many)
        return names

    def _pick(self, step: Step, wanted: str, names: dict[str, str], values: Mapping[str, Any]) -> None:
        sql = _renamed(inline(step["sql"], values), names)
        names[step["pick"]] = self._fresh(wanted)
        self.steps.append({**step, "pick": names[step["pick"]], "sql": sql})

    def _call(self, step: Step, names: dict[str, str], values: Mapping[str, Any], many: set[str]) -> None:
        args = {name: value for name, value in step.get("args", {}).items() if not _absent(value, values)}
        over = next((name for name in many if _mentions(args, name)), None)
        filled = self._filled(args, values, {**names, over: "it"} if over else names, over)
        written: Step = {"call": step["call"], "args": filled}
        if over:
            written["each"] = f"${names[over]}"
        elif "each" in step:
            written["each"] = _renamed(step["each"], names)
        if "as" in step:
            names[step["as"]] = self._fresh(step["as"])
            written["as"] = names[step["as"]]
        self.steps.append(written)

    def _filled(self, value: Any, values: Mapping[str, Any], names: Mapping[str, str], over: str | None) -> Any:
        if isinstance(value, dict):
            return {key: self._filled(item, values, names, over) for key, item in value.items()}
        if isinstance(value, list):
            return [self._filled(item, values, names, over) for item in value]
        if not isinstance(value, str):
            return value
        if value.startswith("$") and not value.startswith("$$"):
            return _renamed(value, names)
        filled = fill_value(value, values, self._today)
        return f"${filled}" if isinstance(filled, str) and filled.startswith("$") else filled

    def _fresh(self, name: str) -> str:
        """`name`, or `name_2`, …: each name once in a program."""
        fresh, number = name, 1
        while fresh in self._taken or fresh == "it":
            number += 1
            fresh = f"{name}_{number}"
        self._taken.add(fresh)
        return fresh


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """References by their new names; a name that stands for a path (`paid.payment_id`) replaces `$name.id` whole."""

    def replace(match: re.Match[str]) -> str:
        name = names.get(match.group(1), match.group(1))
        return f"${name}" if "." in name else f"${name}{match.group(2) or ''}"

    return REFERENCE.sub(replace, text)


def _mentions(args: Any, name: str) -> bool:
    if isinstance(args, dict):
        return any(_mentions(item, name) for item in args.values())
    if isinstance(args, list):
        return any(_mentions(item, name) for item in args)
    return isinstance(args, str) and args.startswith(f"${name}.")


def _absent(value: Any, values: Mapping[str, Any]) -> bool:
    """Whether an argument is nothing but a placeholder of a choice that was not made."""
    if not isinstance(value, str):
        return False
    names = names_in(value)
    return bool(names) and any(values.get(name) is None and name in values for name in names)
