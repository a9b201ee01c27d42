"""What the prompts about tasks show: the asker, known tasks, rows that were asked for, drafts, verifiers, audits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ....environments.models import Actor, AuditReport, Task
from ....environments.package import Environment
from ....environments.verification import SqlProblem, StateReader
from ...llm.prompts import PromptFolder
from ..clipping import clipped, lines_within, one_line, value_text
from ..showing import policy_text, rows_text, schema_text, tools_text, world_text
from .building import draft_of
from .drafts import IdeaDraft
from .task_checks import gate_text

PROMPTS = Path(__file__).parent / "prompts"
_MOST_KNOWN = 40
_MOST_ROWS = 15
_LONGEST_CELL = 100
_MOST_FOUND = 8_000
_MOST_TASK = 12_000
_MOST_GATES = 5_000
_ROWS_A_TABLE = 3


@lru_cache(maxsize=1)
def task_prompts() -> PromptFolder:
    return PromptFolder(PROMPTS, "task_writer")


@lru_cache(maxsize=8)
def text_of(file: str) -> str:
    """A text of the prompts' folder that several prompts share."""
    return (PROMPTS / file).read_text(encoding="utf-8").strip()


def world_of(environment: Environment, roles: Sequence[str], *, task: Task | None = None) -> dict[str, str]:
    """What a prompt that writes a task shows of the world."""
    few = rows_text(environment, most=_ROWS_A_TABLE, task=task)
    return {
        "rules": text_of("rules.md"),
        "world": world_text(environment),
        "policy": policy_text(environment),
        "schema": f"{schema_text(environment)}\n\nSome rows\n{few}",
        "tools": tools_text(environment, roles, inside=True),
    }


def actor_text(environment: Environment, actor: Actor, task: Task | None = None) -> str:
    name = environment.kit.actor_name(actor, task)
    return f"{name or 'somebody'}, {', '.join(actor.roles)}, row {actor.id} of {environment.actor_table(actor)}"


def known_text(tasks: Iterable[Task]) -> str:
    """Instructions of tasks that there are, the latest last."""
    return lines_within(
        (f"- {clipped(one_line(task.instruction), 220)}" for task in list(tasks)[-_MOST_KNOWN:]), 9_000
    )


def found_text(environment: Environment, idea: IdeaDraft) -> str:
    """The rows that an idea's queries give, bounded."""
    if not idea.queries:
        return "(none)"
    actor = Actor(roles=(idea.role,), id=idea.actor_id)
    with StateReader(environment, environment.image, actor=actor) as reader:
        shown = [line for query in idea.queries for line in _query(reader, query)]
    return lines_within(shown, _MOST_FOUND)


def _query(reader: StateReader, query: str) -> list[str]:
    lines = [clipped(one_line(query), 400)]
    try:
        rows = reader.records(query)
    except SqlProblem as problem:
        return [*lines, f"  {clipped(problem.message, 300)}"]
    lines += [f"  {_row(row)}" for row in rows[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        lines.append(f"  ({len(rows)} rows in all)")
    return lines if rows else [*lines, "  no rows"]


def _row(row: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value_text(value, _LONGEST_CELL)}" for name, value in row.items())


def task_text(task: Task) -> str:
    """A task as the draft that makes it."""
    return compact(draft_of(task).model_dump(mode="json", by_alias=True, exclude_defaults=True), _MOST_TASK)


def verifier_text(task: Task) -> str:
    """What a verifier asks and allows, its answer aside."""
    shown = task.verifier.model_dump(mode="json", exclude_defaults=True, exclude={"answer", "frozen", "submit"})
    return compact(shown, _MOST_TASK) if shown else "(the answer alone)"


def compact(value: dict[str, Any], most: int) -> str:
    """One line for each key, and for each item of a list."""
    lines = []
    for name, part in value.items():
        if isinstance(part, list):
            lines += [f'"{name}": [', *(f"  {json.dumps(item, ensure_ascii=False)}," for item in part), "],"]
        else:
            lines.append(f'"{name}": {json.dumps(part, ensure_ascii=False)},')
    return clipped("\n".join(lines), most)


def gates_text(report: AuditReport) -> str:
    """The gates that failed, with their evidence."""
    failed = (gate_text(gate) for gate in report.gates if gate.status == "failed")
    return lines_within((f"- {clipped(text, 1_400)}" for text in failed), _MOST_GATES) or "(none)"
