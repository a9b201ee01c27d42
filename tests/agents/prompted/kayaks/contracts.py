"""Contracts of the kayak hire's tools, and what settles their conflict: nothing reads the log."""

from __future__ import annotations

from typing import Any

_OWN = {
    "type": "integer",
    "description": "The hire",
    "ref": "hires.id",
    "scope": {"where": "person_id = :actor_id", "roles": ["customer"]},
}
_BOAT = {"type": "integer", "description": "The boat", "ref": "boats.id"}
_HIRE = {"type": "integer", "description": "The hire", "ref": "hires.id"}
_STATES = ["booked", "out", "returned", "cancelled"]
_HOURS = {"type": "integer", "minimum": 1, "maximum": 8, "description": "For how many hours"}

_HIRING: list[dict[str, Any]] = [
    {
        "name": "find_boats",
        "description": "Find boats that can be hired, cheapest first; give free_from and hours together to keep those "
        "that are free then.",
        "kind": "read",
        "params": {
            "min_seats": {"type": "integer", "minimum": 1, "maximum": 4, "description": "Seats at least"},
            "color": {"type": "string", "minLength": 1, "maxLength": 40, "description": "Colour of the boat"},
            "free_from": {"type": "string", "format": "date-time", "description": "Start of the wanted hire"},
            "hours": _HOURS,
        },
        "result": ["id", "label", "kind", "seats", "color", "hourly_cents"],
        "reads": ["boats", "boat_kinds", "hires"],
        "serves": ["r1"],
    },
    {
        "name": "list_hires",
        "description": "List hires by start: customers see their own, staff everybody's.",
        "kind": "read",
        "params": {
            "status": {"type": "string", "enum": _STATES, "description": "Only hires in this state"},
            "on_date": {"type": "string", "format": "date", "description": "Only hires that start on this day"},
            "customer_name": {"type": "string", "minLength": 1, "maxLength": 80, "description": "A word of the name"},
        },
        "result": ["id", "boat_id", "boat_label", "customer_name", "starts_at", "ends_at", "status", "price_cents"],
        "reads": ["hires", "boats", "people"],
        "serves": ["r2", "r3", "r4"],
    },
    {
        "name": "book_boat",
        "description": "Book a boat for the customer who is signed in, from a time to come, for whole hours. Refused "
        "for boats that are not available or taken then, and with two booked hires already.",
        "kind": "write",
        "roles": ["customer"],
        "params": {
            "boat_id": _BOAT,
            "starts_at": {"type": "string", "format": "date-time", "description": "Start of the hire"},
            "hours": _HOURS,
        },
        "required": ["boat_id", "starts_at", "hours"],
        "result": ["id", "boat_id", "starts_at", "ends_at", "status", "price_cents"],
        "reads": ["boats", "boat_kinds", "hires"],
        "contract": {"hires": {"insert": True}, "hire_events": {"insert": True}},
        "serves": ["r1"],
    },
    {
        "name": "cancel_hire",
        "description": "Cancel a booked hire. Customers cancel their own, until 60 minutes before it starts.",
        "kind": "write",
        "params": {"hire_id": _OWN},
        "required": ["hire_id"],
        "result": ["id", "status"],
        "reads": ["hires"],
        "contract": {"hires": {"update": ["status"]}, "hire_events": {"insert": True}},
        "serves": ["r2", "r4"],
    },
]
_YARD: list[dict[str, Any]] = [
    {
        "name": "hand_out_boat",
        "description": "Hand the boat of a booked hire out. Refused while the boat is in repair or not back yet.",
        "kind": "write",
        "roles": ["staff"],
        "params": {"hire_id": _HIRE},
        "required": ["hire_id"],
        "result": ["id", "status"],
        "reads": ["hires", "boats"],
        "contract": {"hires": {"update": ["status"]}, "hire_events": {"insert": True}},
        "serves": ["r3"],
    },
    {
        "name": "take_back_boat",
        "description": "Take the boat of a hire back that is out.",
        "kind": "write",
        "roles": ["staff"],
        "params": {"hire_id": _HIRE},
        "required": ["hire_id"],
        "result": ["id", "status", "boat_id"],
        "reads": ["hires"],
        "contract": {"hires": {"update": ["status"]}, "hire_events": {"insert": True}},
        "serves": ["r3"],
    },
    {
        "name": "report_damage",
        "description": "Record a damage of a boat, which goes into repair. Refused for retired boats.",
        "kind": "write",
        "roles": ["staff"],
        "params": {
            "boat_id": _BOAT,
            "what": {"type": "string", "minLength": 3, "maxLength": 300, "description": "What is damaged"},
        },
        "required": ["boat_id", "what"],
        "result": ["id", "boat_id", "what", "status", "boat_status"],
        "reads": ["damages", "boats"],
        "contract": {"damages": {"insert": True}, "boats": {"update": ["status"]}},
        "serves": ["r3"],
    },
    {
        "name": "fix_damage",
        "description": "Mark an open damage as mended. The boat is available again once none is open.",
        "kind": "write",
        "roles": ["staff"],
        "params": {"damage_id": {"type": "integer", "description": "The damage", "ref": "damages.id"}},
        "required": ["damage_id"],
        "result": ["id", "status", "boat_id", "boat_status"],
        "reads": ["damages", "boats"],
        "contract": {"damages": {"update": ["status", "fixed_at"]}, "boats": {"update": ["status"]}},
        "serves": ["r5"],
    },
    {
        "name": "list_damages",
        "description": "List damages, oldest first, of one boat or in one state if wanted.",
        "kind": "read",
        "roles": ["staff"],
        "params": {
            "boat_id": _BOAT,
            "status": {"type": "string", "enum": ["open", "fixed"], "description": "Only damages in this state"},
        },
        "result": ["id", "boat_id", "boat_label", "what", "status", "reported_by_name", "reported_at", "fixed_at"],
        "reads": ["damages", "boats", "people"],
        "serves": ["r5"],
    },
]

CONTRACTS: dict[str, dict[str, Any]] = {"hiring": {"tools": _HIRING}, "yard": {"tools": _YARD}}

SETTLEMENT: dict[str, Any] = {
    "tools": [
        {
            "group": "hiring",
            "name": "get_hire",
            "description": "Show one hire with what happened to it. Customers see their own.",
            "kind": "read",
            "params": {"hire_id": _OWN},
            "required": ["hire_id"],
            "result": ["id", "boat_id", "customer_name", "starts_at", "ends_at", "status", "price_cents", "history"],
            "reads": ["hires", "hire_events", "people"],
            "serves": ["r2"],
        }
    ]
}
