"""Two worlds of the same kind in other words: rooms that are booked by the day, and courts that are reserved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
import yaml

from envolve.environments.models import EnvironmentSpec, ToolsFile
from envolve.environments.package import Environment


@dataclass(frozen=True)
class Words:
    """What a world calls its things. `taken` is the guard that keeps two from having one thing on one day."""

    scenario: str
    place: str
    taking: str
    take: str
    person: str
    clock: str


ROOMS = Words("Rooms of a guest house", "rooms", "bookings", "book_room", "guest", "2026-05-04 10:00:00")
COURTS = Words("Courts of a tennis club", "courts", "reservations", "reserve_court", "member", "2027-01-10 08:00:00")

_SCHEMA = """
CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('{person}', 'desk')))
STRICT;
CREATE TABLE {place} (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE {taking} (
  id INTEGER PRIMARY KEY, place_id INTEGER NOT NULL REFERENCES {place} (id),
  person_id INTEGER NOT NULL REFERENCES people (id), on_date TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('live', 'dropped'))
) STRICT;
"""
_TOOLS = """
- name: {take}
  description: Take one of the {place} for a day. Refused where it is taken already.
  kind: write
  roles: [{person}]
  params:
    place_id: {{type: integer, description: Which, ref: {place}.id}}
    on_date: {{type: string, format: date, description: The day}}
  required: [place_id, on_date]
  steps:
  - require: SELECT :on_date >= :today
    error: {{code: invalid_argument, message: "{{on_date}} is past."}}
  - require: "{taken}"
    error: {{code: conflict, message: "It is taken on {{on_date}}."}}
  - do: |
      INSERT INTO {taking} (place_id, person_id, on_date, status)
      VALUES (:place_id, :actor_id, :on_date, 'live') RETURNING id
    rows: 1
    as: new_id
  returns: {{one: "SELECT id, place_id, on_date, status FROM {taking} WHERE id = :new_id"}}
  contract: {{{taking}: {{insert: true}}}}
- name: list_{place}
  description: All {place}.
  kind: read
  returns: {{many: "SELECT id, name FROM {place}", order: id}}
- name: rename_{place}
  description: Give one of the {place} another name.
  kind: write
  roles: [desk]
  params:
    place_id: {{type: integer, description: Which, ref: {place}.id}}
    name: {{type: string, minLength: 1, maxLength: 40, description: The new name}}
  required: [place_id, name]
  steps:
  - {{do: "UPDATE {place} SET name = :name WHERE id = :place_id", rows: 1}}
  returns: {{one: "SELECT id, name FROM {place} WHERE id = :place_id"}}
  contract: {{{place}: {{update: [name]}}}}
"""

Build = Callable[..., Environment]


@pytest.fixture(scope="session")
def built() -> Build:
    """The world in these words; `guarded` False leaves out what keeps it sound."""

    def build(words: Words, *, guarded: bool = True) -> Environment:
        free = (
            f"SELECT NOT EXISTS (SELECT 1 FROM {words.taking} WHERE place_id = :place_id AND on_date = :on_date"
            " AND status = 'live')"
        )
        named = vars(words) | {"taken": free if guarded else "SELECT :place_id > 0"}
        people = [(31, "Ada", words.person), (35, "Ben", words.person), (42, "Mei", "desk")]
        rows = ", ".join(f"({key}, '{name}', '{role}')" for key, name, role in people)
        places = ", ".join(f"({key}, 'No. {key}')" for key in (7, 12, 19, 23, 30, 38, 44, 51))
        return Environment.build(
            spec=EnvironmentSpec.model_validate(
                {
                    "id": "small",
                    "scenario": words.scenario,
                    "roles": {
                        words.person: {"table": "people", "where": f"role = '{words.person}'"},
                        "desk": {"table": "people", "where": "role = 'desk'"},
                    },
                    "clock": words.clock,
                    "invariants": [
                        {
                            "name": "nothing is taken twice a day",
                            "sql": f"SELECT place_id, on_date FROM {words.taking} WHERE status = 'live'"
                            " GROUP BY place_id, on_date HAVING count(*) > 1",
                        }
                    ],
                }
            ),
            schema_sql=_SCHEMA.format(**named),
            seed_sql=f"INSERT INTO people VALUES {rows}; INSERT INTO {words.place} VALUES {places};",
            tools=ToolsFile.model_validate({"format": 1, "tools": yaml.safe_load(_TOOLS.format(**named))}),
        )

    return build
