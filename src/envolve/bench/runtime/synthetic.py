"""An environment of the size that AWM's have on average: 18 tables, 36 tools, 2,000 rows."""

from __future__ import annotations

import random
from typing import Any

from envolve.environments.canonical import seed_from
from envolve.environments.models import ColumnClasses, EnvironmentSpec, Role, Task, ToolsFile
from envolve.environments.package import Environment

AREAS = (
    *("accounts", "projects", "boards", "cards", "checklists", "comments", "files", "labels", "meetings"),
    *("milestones", "notes", "orders", "payments", "plans", "reports", "tickets", "visits"),
)
"""One table each, besides `people`: 18 tables."""
PEOPLE = 96
ROWS = 2_000
_STATUSES = ("open", "waiting", "closed")


def synthetic_environment() -> Environment:
    """Built anew at each call, the same each time."""
    return Environment.build(
        spec=_spec(),
        schema_sql=_schema(),
        seed_sql=_seed(),
        tools=ToolsFile.model_validate({"format": 1, "tools": _tools()}),
        tasks=[_task()],
    )


def _spec() -> EnvironmentSpec:
    return EnvironmentSpec(
        id="workspace",
        scenario="Workspace of a small company",
        roles={"member": Role(table="people")},
        clock="2026-03-02 09:00:00",
        columns=ColumnClasses(clock=("*.created_at", "*.updated_at")),
        policy="1. Members change what they own.",
    )


def _schema() -> str:
    people = "id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE"
    return f"CREATE TABLE people ({people}) STRICT;\n" + "".join(
        f"""CREATE TABLE {area} (
  id INTEGER NOT NULL PRIMARY KEY,
  owner_id INTEGER NOT NULL REFERENCES people (id),
  title TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'waiting', 'closed')),
  amount INTEGER NOT NULL DEFAULT 0 CHECK (amount >= 0),
  note TEXT,
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) STRICT;
CREATE INDEX {area}_owner ON {area} (owner_id);
CREATE INDEX {area}_title ON {area} (title);
"""
        for area in AREAS
    )


def _seed() -> str:
    rng = random.Random(seed_from("synthetic environment"))
    lines = [f"INSERT INTO people VALUES ({7 + i}, 'Person {i}', 'person{i}@example.com');" for i in range(PEOPLE)]
    for i in range(ROWS - PEOPLE):
        area = AREAS[i % len(AREAS)]
        status = rng.choice(_STATUSES)
        owner = 7 if i // len(AREAS) % 12 == 0 else 7 + rng.randrange(PEOPLE)
        note = f"A remark of the usual length about item {i}."
        lines.append(
            f"INSERT INTO {area} (id, owner_id, title, status, amount, note) VALUES ({31 + i}, {owner},"
            f" 'Item {i} of {area}', '{status}', {rng.randrange(100_000)}, '{note}');"
        )
    return "\n".join(lines) + "\n"


def _tools() -> list[dict[str, Any]]:
    tools = [tool for area in AREAS for tool in (_list(area), _update(area))]
    return [*tools, _profile(), _person()]


def _list(area: str) -> dict[str, Any]:
    return {
        "name": f"list_{area}",
        "description": f"List {area}, optionally by owner, status or a part of the title.",
        "kind": "read",
        "params": {
            "owner_id": {"type": "integer", "description": "Only those of this person"},
            "status": {"type": "string", "enum": list(_STATUSES), "description": "Only in this status"},
            "title": {"type": "string", "maxLength": 80, "description": "Part of the title"},
        },
        "returns": {
            "many": f"SELECT id, owner_id, title, status, amount, updated_at FROM {area}"
            " WHERE (:owner_id IS NULL OR owner_id = :owner_id) AND (:status IS NULL OR status = :status)"
            " AND (:title IS NULL OR instr(fold(title), fold(:title)) > 0)",
            "order": "title, id",
            "page": {"default": 10, "max": 100},
        },
    }


def _update(area: str) -> dict[str, Any]:
    """A write with two guards, besides its reference and scope."""
    return {
        "name": f"update_{area}",
        "description": f"Change status, amount or note of one of the {area} that belong to you.",
        "kind": "write",
        "params": {
            "id": {
                "type": "integer",
                "description": "Which",
                "ref": f"{area}.id",
                "scope": {"where": "owner_id = :actor_id"},
            },
            "status": {"type": "string", "enum": list(_STATUSES), "description": "New status"},
            "amount": {"type": "integer", "minimum": 0, "description": "New amount"},
            "note": {"type": "string", "maxLength": 300, "description": "New remark"},
        },
        "required": ["id"],
        "steps": [
            {
                "require": "SELECT :given_status OR :given_amount OR :given_note",
                "error": {"code": "invalid_argument", "message": "Give something to change."},
            },
            {"let": {"old": {"row": f"SELECT status, amount FROM {area} WHERE id = :id"}}},
            {
                "require": "SELECT :old_status <> 'closed' OR :status = 'open'",
                "error": {"code": "conflict", "message": "{id} is closed."},
            },
            {
                "do": f"UPDATE {area} SET status = coalesce(:status, status), amount = coalesce(:amount, amount),"
                " note = coalesce(:note, note), updated_at = :now WHERE id = :id",
                "rows": 1,
            },
        ],
        "returns": {
            "one": f"SELECT id, owner_id, title, status, amount, note, updated_at FROM {area} WHERE id = :id"
        },
        "contract": {area: {"update": ["status", "amount", "note", "updated_at"]}},
    }


def _profile() -> dict[str, Any]:
    return {
        "name": "get_my_profile",
        "description": "Return the profile of the person who is signed in.",
        "kind": "read",
        "returns": {"one": "SELECT id, name, email FROM people WHERE id = :actor_id"},
    }


def _person() -> dict[str, Any]:
    return {
        "name": "get_person",
        "description": "Return a person.",
        "kind": "read",
        "params": {"person_id": {"type": "integer", "description": "Which", "ref": "people.id"}},
        "required": ["person_id"],
        "returns": {"one": "SELECT id, name, email FROM people WHERE id = :person_id"},
    }


def _task() -> Task:
    return Task.model_validate(
        {
            "id": "look-around",
            "instruction": "Look around.",
            "actor": {"roles": ["member"], "id": 7},
            "goal": {"text": "Nothing changes."},
        }
    )
