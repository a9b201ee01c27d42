"""Which tools of an environment are like those that a past defect's probe calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

from ...environments.models import Param, TableContract, Tool, UseParam
from ...environments.resolution import ResolvedTool

LEAST = 0.45
"""Likeness below which two tools are strangers. A wrong fit costs calls, never a false finding."""
_WRITES, _PARAMS, _WORDS = 0.35, 0.35, 0.3
_EACH, _MOST = 3, 4
"""Tools tried for each tool of a probe, and fits of a probe in all."""
_TRIED = 200
_COMMON = frozenset(
    {"a", "an", "and", "are", "by", "for", "i", "in", "it", "of", "on", "one", "or", "the", "their", "to", "with"}
)


class Fit(NamedTuple):
    """The tool that stands for each tool of a probe, by its old name, and how like the least like pair is."""

    tools: Mapping[str, ResolvedTool]
    likeness: float


def fits(old: Sequence[Tool], tools: Mapping[str, ResolvedTool]) -> list[Fit]:
    """At most four ways in which the tools of a probe may be played by those of another environment, the likest first.

    No tool plays two parts, and each table that parameters of the old tools point at has one counterpart. Empty if
    some tool has no like.
    """
    choices = [list(_likest(tool, tools)) for tool in old]
    found = list[Fit]()
    for chosen in islice(product(*choices), _TRIED):
        names = {tool.name for tool, _ in chosen}
        if len(names) < len(chosen) or not chosen:
            continue
        pairs = [(before, now) for before, (now, _) in zip(old, chosen, strict=True)]
        if _one_counterpart(pairs):
            by_name = {before.name: now for before, now in pairs}
            found.append(Fit(by_name, min(likeness for _, likeness in chosen)))
    return sorted(found, key=lambda fit: -fit.likeness)[:_MOST]


def likeness(old: Tool, new: ResolvedTool) -> float:
    """0..1: what both write, which parameters they take, and the words of names and descriptions. Reads and writes are
    nothing alike."""
    if old.kind != new.kind:
        return 0.0
    return (
        _WRITES * _shared(_writes(old.contract), _writes(new.contract))
        + _PARAMS * _shared(_params(old), _params(new))
        + _WORDS * _shared(_words(old.name, old.description), _words(new.name, new.description))
    )


def param_pairs(old: Tool, new: ResolvedTool) -> dict[str, str]:
    """Parameters of the old tool with those that stand for them: of the same name, else the first of the same type,
    format and kind of target that nothing else stands for."""
    before = {name: param for name, param in old.params.items() if isinstance(param, Param)}
    pairs = {name: name for name in before if name in new.params and _alike(before[name], new.params[name])}
    free = [name for name in new.params if name not in pairs.values()]
    for name, param in before.items():
        if name in pairs:
            continue
        found = next((other for other in free if _alike(param, new.params[other])), None)
        if found is not None:
            pairs[name] = found
            free.remove(found)
    return pairs


def table_of(param: Param | UseParam | None) -> str:
    """The table that a parameter (or the items of its list) points at; "" for none."""
    if not isinstance(param, Param):
        return ""
    source = param.items if param.items is not None else param
    return source.ref.split(".")[0] if source.ref is not None else ""


def _likest(old: Tool, tools: Mapping[str, ResolvedTool]) -> Iterator[tuple[ResolvedTool, float]]:
    ranked = sorted(
        ((likeness(old, tool), tool.name) for tool in tools.values()), key=lambda each: (-each[0], each[1])
    )
    yield from islice(((tools[name], score) for score, name in ranked if score >= LEAST), _EACH)


def _one_counterpart(pairs: Iterable[tuple[Tool, ResolvedTool]]) -> bool:
    counterparts = dict[str, str]()
    for old, new in pairs:
        for name, other in param_pairs(old, new).items():
            before, now = table_of(old.params[name]), table_of(new.params[other])
            if before and counterparts.setdefault(before, now) != now:
                return False
    return True


def _alike(old: Param, new: Param) -> bool:
    return _type(old) == _type(new) and bool(table_of(old)) == bool(table_of(new))


def _type(param: Param) -> tuple[str, str, str, bool]:
    return param.type, param.format or "", param.items.type if param.items else "", param.enum is not None


def _params(tool: Tool | ResolvedTool) -> Counter[Hashable]:
    return Counter(
        (*_type(param), bool(table_of(param)), name in tool.required)
        for name, param in tool.params.items()
        if isinstance(param, Param)
    )


def _writes(contract: Mapping[str, TableContract]) -> Counter[Hashable]:
    """What is done to how many tables, and to how many columns of them, more or less."""
    done = Counter[Hashable]()
    for table in contract.values():
        done["insert"] += table.insert
        done["delete"] += table.delete
        if table.update:
            done["update", min(len(table.update), 3)] += 1
    return +done


def _words(name: str, description: str) -> Counter[Hashable]:
    """Each word once, singular or plural."""
    found = {word.rstrip("s") for word in re.findall(r"[a-z]+", f"{name} {description}".lower())}
    return Counter(found - _COMMON)


def _shared(one: Counter[Hashable], other: Counter[Hashable]) -> float:
    """What two bags have in common, of all that is in them (Jaccard); two empty ones are alike."""
    union = (one | other).total()
    return (one & other).total() / union if union else 1.0
