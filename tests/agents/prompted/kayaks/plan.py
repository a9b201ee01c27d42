"""Requirements and schema of the kayak hire."""

from __future__ import annotations

from typing import Any

REQUIREMENTS: dict[str, Any] = {
    "service": "Lakeside kayak hire",
    "summary": "Customers hire kayaks by the hour; staff hand them out, take them back and mend them.",
    "actors": [
        {
            "role": "customer",
            "table": "people",
            "where": "role = 'customer'",
            "who": "Hires boats; sees and changes only their own hires.",
        },
        {
            "role": "staff",
            "table": "people",
            "where": "role = 'staff'",
            "who": "Runs the boathouse; sees all hires and damages.",
        },
    ],
    "requirements": [
        {
            "id": "r1",
            "actor": "customer",
            "want": "A customer books the cheapest free kayak for two on an afternoon.",
            "says": "We are two and would like to be out on Saturday from two to four, as cheap as you can.",
            "tables": ["people", "boats", "boat_kinds", "hires", "hire_events"],
            "after": "There is one more booked hire of that boat at its price.",
        },
        {
            "id": "r2",
            "actor": "customer",
            "want": "A customer cancels the later of two booked hires.",
            "says": "I only have time for the first of my two trips, please cancel the other.",
            "tables": ["hires", "hire_events"],
            "after": "The later hire is cancelled.",
        },
        {
            "id": "r3",
            "actor": "staff",
            "want": "A member of staff takes a boat back and reports the damage it came with.",
            "says": "The Okafors are back with the red double, and its rudder is bent.",
            "tables": ["people", "boats", "hires", "hire_events", "damages"],
            "after": "The hire is returned, the damage is open and the boat is in repair.",
        },
        {
            "id": "r4",
            "actor": "customer",
            "want": "A customer cancels a hire that starts in less than an hour.",
            "says": "I am running late, cancel the boat I have at half past nine.",
            "tables": ["hires"],
            "after": "Nothing changes; the customer is told to call the boathouse.",
            "refused_by": 2,
        },
        {
            "id": "r5",
            "actor": "staff",
            "want": "A member of staff marks the oldest open damage of a boat as mended.",
            "says": "I have done the older of the two jobs on K4.",
            "tables": ["boats", "damages"],
            "after": "That damage is fixed; the boat is available if it was the last.",
        },
    ],
    "policy": [
        "Customers see and change only their own hires.",
        "A customer can cancel a hire until 60 minutes before it starts; later only staff can.",
        "A customer has at most two booked hires.",
        "A boat with an open damage is not hired out.",
    ],
    "glossary": [{"word": "coming hire", "meaning": "a booked hire that starts after now"}],
    "conditions": [
        "No boat is booked or out twice at one time.",
        "A boat is in repair exactly while it has an open damage.",
        "A fixed damage has the time at which it was fixed.",
    ],
    "parts": [
        {
            "name": "people-and-boats",
            "purpose": "Who acts, and what can be hired.",
            "tables": [
                {"name": "people", "about": "customers and staff"},
                {"name": "boat_kinds", "about": "kinds with seats and price"},
                {"name": "boats", "about": "single boats"},
            ],
        },
        {
            "name": "hires",
            "purpose": "What happens to boats.",
            "tables": [
                {"name": "hires", "about": "bookings and what became of them"},
                {"name": "hire_events", "about": "log of hires"},
                {"name": "damages", "about": "damages and their repair"},
            ],
        },
    ],
    "groups": [
        {
            "name": "hiring",
            "requirements": ["r1", "r2", "r4"],
            "tools": ["find_boats", "list_hires", "book_boat", "cancel_hire"],
        },
        {
            "name": "yard",
            "requirements": ["r3", "r5"],
            "tools": ["hand_out_boat", "take_back_boat", "report_damage", "fix_damage", "list_damages"],
        },
    ],
}

_PEOPLE = """CREATE TABLE people (
  id INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('customer', 'staff'))
) STRICT"""
_KINDS = """CREATE TABLE boat_kinds (
  id INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  seats INTEGER NOT NULL CHECK (seats BETWEEN 1 AND 4),
  hourly_cents INTEGER NOT NULL CHECK (hourly_cents > 0)
) STRICT"""
_BOATS = """CREATE TABLE boats (
  id INTEGER NOT NULL PRIMARY KEY,
  label TEXT NOT NULL UNIQUE,
  kind_id INTEGER NOT NULL REFERENCES boat_kinds (id),
  color TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'in_repair', 'retired'))
) STRICT"""
_HIRES = """CREATE TABLE hires (
  id INTEGER NOT NULL PRIMARY KEY,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  price_cents INTEGER NOT NULL CHECK (price_cents > 0),
  status TEXT NOT NULL CHECK (status IN ('booked', 'out', 'returned', 'cancelled')),
  created_at TEXT NOT NULL,
  CHECK (starts_at < ends_at)
) STRICT"""
_EVENTS = """CREATE TABLE hire_events (
  id INTEGER NOT NULL PRIMARY KEY,
  hire_id INTEGER NOT NULL REFERENCES hires (id),
  kind TEXT NOT NULL CHECK (kind IN ('booked', 'handed_out', 'returned', 'cancelled')),
  at TEXT NOT NULL
) STRICT"""
_DAMAGES = """CREATE TABLE damages (
  id INTEGER NOT NULL PRIMARY KEY,
  boat_id INTEGER NOT NULL REFERENCES boats (id),
  reported_by INTEGER NOT NULL REFERENCES people (id),
  what TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'fixed')),
  reported_at TEXT NOT NULL,
  fixed_at TEXT,
  CHECK ((status = 'fixed') = (fixed_at IS NOT NULL))
) STRICT"""

SCHEMAS: dict[str, dict[str, Any]] = {
    "people-and-boats": {
        "tables": [
            {"name": "people", "sql": _PEOPLE},
            {"name": "boat_kinds", "sql": _KINDS},
            {"name": "boats", "sql": _BOATS},
        ]
    },
    "hires": {
        "tables": [
            {"name": "hires", "sql": _HIRES},
            {"name": "hire_events", "sql": _EVENTS},
            {"name": "damages", "sql": _DAMAGES},
        ],
        "indexes": ["CREATE INDEX hires_boat ON hires (boat_id, starts_at)"],
        "clock": ["hires.created_at", "damages.reported_at", "damages.fixed_at"],
        "log": ["hire_events"],
        "invariants": [
            {
                "name": "no boat is hired twice at one time",
                "sql": "SELECT a.id, b.id FROM hires a JOIN hires b ON b.boat_id = a.boat_id AND b.id > a.id "
                "AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at "
                "WHERE a.status IN ('booked', 'out') AND b.status IN ('booked', 'out')",
                "condition": 1,
            },
            {
                "name": "boats are in repair exactly while they have an open damage",
                "sql": "SELECT b.id FROM boats b WHERE (b.status = 'in_repair') <> "
                "EXISTS (SELECT 1 FROM damages d WHERE d.boat_id = b.id AND d.status = 'open')",
                "condition": 2,
            },
            {
                "name": "customers have at most two booked hires",
                "sql": "SELECT person_id FROM hires WHERE status = 'booked' GROUP BY person_id HAVING count(*) > 2",
            },
        ],
        "held": [3],
        "words": [{"word": "coming hire", "sql": "status = 'booked' AND starts_at > :now"}],
    },
}
