"""What a repair changed, in words: the place, and what stood there before and after.

A structural difference of tools, schema, seed and environment.yaml. It says what was changed, not why, and not that the
change helped: whoever tells it has run the defect's probe before.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, NamedTuple

from ...environments.package import Environment

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_CHANGES = 4
_LONGEST_SIDE = 200
_AROUND = 50
"""Characters kept of what is alike before and after the difference."""
_IGNORED = frozenset({"id", "lineage", "provenance", "format"})
_UNTOLD = frozenset({"places"})
_SQL = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
_ABSENT = object()


class Change(NamedTuple):
    """`before` or `after` is None where something was added or taken out."""

    where: str
    before: str | None
    after: str | None

    def told(self) -> str:
        if self.before is None:
            return f"{self.where}: added {_quoted(_clipped(self.after or ''))}"
        if self.after is None:
            return f"{self.where}: took out {_quoted(_clipped(self.before))}"
        before, after = _narrowed(self.before, self.after)
        return f"{self.where}: {_quoted(before)} became {_quoted(after)}"


def fix_text(before: Environment, after: Environment, where: str) -> str:
    """The changes, those at `where` first; "" if nothing differs. At most four, each side clipped around the place
    where they part."""
    found = sorted(changes(before, after), key=lambda change: -_nearness(change.where, where))
    at_place = [change for change in found if _nearness(change.where, where) > 1] or found
    told = [change.told() for change in at_place[:_MOST_CHANGES]]
    left = len(found) - len(told)
    return "; ".join(told) + (f" (and {left} more)" if left else "")


def changes(before: Environment, after: Environment) -> Iterator[Change]:
    """Every difference that calls or readers could notice, in a fixed order."""
    yield from _tools(before, after)
    yield from _lines("schema", _statements(before.schema_sql), _statements(after.schema_sql))
    yield from _lines("seed", _statements(before.seed_sql or ""), _statements(after.seed_sql or ""))
    old, new = (each.spec.model_dump(mode="json", exclude=set(_IGNORED)) for each in (before, after))
    yield from _parts("environment", old, new)


def _tools(before: Environment, after: Environment) -> Iterator[Change]:
    for name in dict.fromkeys([*before.tools, *after.tools]):
        old, new = (_tool(each, name) for each in (before, after))
        if old is None or new is None:
            yield Change(f"tools.{name}", _text(old), _text(new))
        elif old != new:
            yield from _parts(f"tools.{name}", old, new)


def _tool(environment: Environment, name: str) -> dict[str, Any] | None:
    tool = environment.tools.get(name)
    return tool.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude=set(_UNTOLD)) if tool else None


def _parts(where: str, old: Any, new: Any) -> Iterator[Change]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping) and old.keys() & new.keys():
        for key in dict.fromkeys([*old, *new]):
            yield from _parts(f"{where}.{key}", old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lines(where, old, new)
    else:
        before, after = _printed_alike(_text(old), _text(new))
        if before != after:
            yield Change(where, before, after)


def _lines(where: str, old: Sequence[Any], new: Sequence[Any]) -> Iterator[Change]:
    """Lists by their entries: what was put in or taken out does not make what follows look changed."""
    keys = [_text(entry) for entry in old], [_text(entry) for entry in new]
    for op, start, end, first, last in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if op == "equal":
            continue
        paired = min(end - start, last - first)
        for offset in range(paired):
            yield from _parts(f"{where}.{first + offset}", old[start + offset], new[first + offset])
        yield from (Change(f"{where}.{index}", _text(old[index]), None) for index in range(start + paired, end))
        yield from (Change(f"{where}.{index}", None, _text(new[index])) for index in range(first + paired, last))


def _statements(sql: str) -> list[str]:
    return [" ".join(line.split()) for line in sql.split(";\n") if line.strip()]


def _text(value: Any) -> str | None:
    if value is None or value is _ABSENT:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())


def _printed_alike(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    """Both sides as one printer writes them, where both are SQL: how a coder spaces and capitalizes is no change."""
    if before is None or after is None:
        return before, after
    trees = _tree(before), _tree(after)
    if None in trees:
        return before, after
    one, other = (tree.sql(dialect="sqlite") for tree in trees if tree is not None)
    return one, other


def _tree(text: str) -> exp.Expr | None:
    """The statement that a text is; None for anything else."""
    if not text.lstrip("( ").upper().startswith(_SQL):
        return None
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(text, dialect="sqlite")
    except SqlglotError:
        return None


def _nearness(place: str, where: str) -> int:
    """How many words of two dotted places agree from the start."""
    count = 0
    for mine, other in zip(place.split("."), where.split("."), strict=False):
        if mine != other:
            break
        count += 1
    return count


def _narrowed(before: str, after: str) -> tuple[str, str]:
    """Both sides without what they share at either end, but for a little around the difference."""
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    low = start - _AROUND if start > _AROUND + 10 else 0
    high = end - _AROUND if end > _AROUND + 10 else 0
    return _cut(before, low, high), _cut(after, low, high)


def _alike(one: str, other: str) -> int:
    return next(
        (index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _cut(text: str, low: int, high: int) -> str:
    """From the word at `low` to the word `high` characters before the end."""
    start = text.rfind(" ", 0, low) + 1 if low else 0
    stop = text.find(" ", len(text) - high) if high else -1
    middle = _clipped(text[start:] if stop < 0 else text[start:stop])
    return f"{'…' if start else ''}{middle.removesuffix('…')}{'…' if stop >= 0 or middle.endswith('…') else ''}"


def _clipped(text: str) -> str:
    return text if len(text) <= _LONGEST_SIDE else f"{text[: _LONGEST_SIDE - 1]}…"


def _quoted(text: str) -> str:
    return f"`{text}`"
