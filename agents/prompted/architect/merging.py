"""Groups of contracts put together: what conflicts between them, and how it is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ....environments.models import EnvironmentSpec
from .contract_checks import contract_problems
from .drafts import ContractDraft, SettlementDraft
from .sketch import bounded

_ALIKE = 0.8
"""Of two tools that take and write the same, the share of result columns from which on they are near the same."""

Groups = Mapping[str, Sequence[ContractDraft]]


def conflicts(groups: Groups, requirements: Iterable[str], tables: Iterable[str]) -> list[str]:
    """Repeated and near-same tools, requirements that no tool serves, tables that no tool reads."""
    return [*_repeated(groups), *_near_same(groups), *_unserved(groups, requirements), *_unread(groups, tables)]


@dataclass(frozen=True)
class SettlementCheck:
    """Checks that a settlement leaves no conflict, makes no new one, and no tool that cannot be."""

    spec: EnvironmentSpec
    schema_sql: str
    groups: Groups
    requirements: tuple[str, ...]
    tables: tuple[str, ...]

    def __call__(self, draft: SettlementDraft) -> list[str]:
        placed = {f"{group}/{tool.name}" for group, tools in self.groups.items() for tool in tools}
        problems = [
            f"drop: there is no {name} ({', '.join(sorted(placed))})." for name in draft.drop if name not in placed
        ]
        problems += [
            f"tools.{tool.name}.group: there is no group {tool.group!r}."
            for tool in draft.tools
            if tool.group not in self.groups
        ]
        if problems:
            return bounded(problems)
        after = settled(self.groups, draft)
        tools = [tool for group in after.values() for tool in group]
        return bounded(
            [
                *conflicts(after, self.requirements, self.tables),
                *contract_problems(self.spec, self.schema_sql, tools, self.requirements),
            ]
        )


def settled(groups: Groups, draft: SettlementDraft) -> dict[str, list[ContractDraft]]:
    """The groups after a settlement."""
    dropped = set(draft.drop)
    after = {
        group: [tool for tool in tools if f"{group}/{tool.name}" not in dropped] for group, tools in groups.items()
    }
    for tool in draft.tools:
        plain = ContractDraft.model_validate(tool.model_dump(exclude={"group"}, exclude_unset=True))
        own = after[tool.group]
        at = next((index for index, other in enumerate(own) if other.name == tool.name), len(own))
        own[at : at + 1] = [plain]
    return after


def without_repeated(groups: Groups) -> dict[str, list[ContractDraft]]:
    """The groups with the first of each name only: for conflicts that nobody settled."""
    seen: set[str] = set()
    after: dict[str, list[ContractDraft]] = {}
    for group, tools in groups.items():
        after[group] = []
        for tool in tools:
            if tool.name not in seen:
                after[group].append(tool)
            seen.add(tool.name)
    return after


def served(groups: Groups) -> set[str]:
    return {id_ for tools in groups.values() for tool in tools for id_ in tool.serves}


def _repeated(groups: Groups) -> Iterator[str]:
    counts = Counter(tool.name for tools in groups.values() for tool in tools)
    for name, count in counts.items():
        if count > 1:
            places = [f"{group}/{name}" for group, tools in groups.items() if any(t.name == name for t in tools)]
            yield f"{' and '.join(places)} have the same name: drop one, or name it otherwise if they differ."


def _near_same(groups: Groups) -> Iterator[str]:
    placed = [(group, tool) for group, tools in groups.items() for tool in tools]
    for (group, tool), (other_group, other) in combinations(placed, 2):
        if tool.name != other.name and _alike(tool, other):
            yield f"{group}/{tool.name} and {other_group}/{other.name} do nearly the same: keep one, or let them differ."


def _alike(tool: ContractDraft, other: ContractDraft) -> bool:
    """Only for tools that read: two that write the same columns may set them to different values."""
    if tool.kind == "write" or other.kind == "write" or _taken(tool) != _taken(other):
        return False
    if set(tool.reads) != set(other.reads) or set(tool.roles or ()) != set(other.roles or ()):
        return False
    columns, others = set(tool.result), set(other.result)
    return len(columns & others) >= _ALIKE * len(columns | others)


def _taken(tool: ContractDraft) -> list[tuple[str, str]]:
    return sorted((param.type, param.ref or "") for param in tool.params.values())


def _unserved(groups: Groups, requirements: Iterable[str]) -> Iterator[str]:
    done = served(groups)
    for id_ in requirements:
        if id_ not in done:
            yield f"requirement {id_} is served by no tool: add one, or name it in `serves` of those that serve it."


def _unread(groups: Groups, tables: Iterable[str]) -> Iterator[str]:
    read = {table for tools in groups.values() for tool in tools for table in tool.reads}
    for name in tables:
        if name not in read:
            yield f"the table {name} is read by no tool: let a tool show its rows."
