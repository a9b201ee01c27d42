"""Steps and results of the kayak hire's tools."""

from __future__ import annotations

from typing import Any

_FREE = (
    "NOT EXISTS (SELECT 1 FROM hires h WHERE h.boat_id = {boat} AND h.status IN ('booked', 'out') "
    "AND h.starts_at < datetime(:{start}, '+' || :hours || ' hours') AND h.ends_at > :{start})"
)
_EVENT = "INSERT INTO hire_events (hire_id, kind, at) VALUES (:hire_id, '{}', :now)"
_STATE = {"let": {"hire": {"row": "SELECT boat_id, status, starts_at FROM hires WHERE id = :hire_id"}}}


def _must_be(state: str) -> dict[str, Any]:
    message = f"Hire {{hire_id}} is {{hire_status}}, not {state}."
    return {"require": f"SELECT :hire_status = '{state}'", "error": {"code": "conflict", "message": message}}


def _set(state: str, event: str) -> list[dict[str, Any]]:
    return [
        {"do": f"UPDATE hires SET status = '{state}' WHERE id = :hire_id", "rows": 1},
        {"do": _EVENT.format(event), "rows": 1},
    ]


_FIND = {
    "name": "find_boats",
    "steps": [
        {
            "require": "SELECT :given_free_from = :given_hours",
            "error": {"code": "invalid_argument", "message": "Give free_from and hours together."},
        }
    ],
    "returns": {
        "many": "SELECT b.id, b.label, k.name AS kind, k.seats, b.color, k.hourly_cents FROM boats b "
        "JOIN boat_kinds k ON k.id = b.kind_id WHERE b.status = 'available' "
        "AND (:min_seats IS NULL OR k.seats >= :min_seats) AND (:color IS NULL OR same_text(b.color, :color)) "
        f"AND (:free_from IS NULL OR {_FREE.format(boat='b.id', start='free_from')})",
        "order": "hourly_cents, id",
        "page": {"default": 20, "max": 100},
    },
}
_LIST = {
    "name": "list_hires",
    "returns": {
        "many": "SELECT h.id, h.boat_id, b.label AS boat_label, p.name AS customer_name, h.starts_at, h.ends_at, "
        "h.status, h.price_cents FROM hires h JOIN boats b ON b.id = h.boat_id JOIN people p ON p.id = h.person_id "
        "WHERE (h.person_id = :actor_id OR 'staff' IN (SELECT value FROM json_each(:actor_roles))) "
        "AND (:status IS NULL OR h.status = :status) AND (:on_date IS NULL OR date(h.starts_at) = :on_date) "
        "AND (:customer_name IS NULL OR has_word(p.name, :customer_name))",
        "order": "starts_at, id",
        "page": {"default": 20, "max": 100},
    },
}
_GET = {
    "name": "get_hire",
    "returns": {
        "one": "SELECT h.id, h.boat_id, p.name AS customer_name, h.starts_at, h.ends_at, h.status, h.price_cents, "
        "(SELECT json_group_array(json_object('kind', e.kind, 'at', e.at) ORDER BY e.at, e.id) FROM hire_events e "
        "WHERE e.hire_id = h.id) AS history FROM hires h JOIN people p ON p.id = h.person_id WHERE h.id = :hire_id",
        "types": {"history": "json"},
    },
}
_BOOK = {
    "name": "book_boat",
    "steps": [
        {"let": {"boat": {"row": "SELECT label, status, kind_id FROM boats WHERE id = :boat_id"}}},
        {
            "require": "SELECT :starts_at > :now",
            "error": {"code": "invalid_argument", "message": "{starts_at} is in the past."},
        },
        {
            "require": "SELECT :boat_status = 'available'",
            "error": {"code": "conflict", "message": "Boat {boat_label} is {boat_status}."},
        },
        {
            "require": "SELECT count(*) < 2 FROM hires WHERE person_id = :actor_id AND status = 'booked'",
            "error": {"code": "conflict", "message": "You have two booked hires already."},
        },
        {
            "require": f"SELECT {_FREE.format(boat=':boat_id', start='starts_at')}",
            "error": {"code": "conflict", "message": "Boat {boat_label} is taken then."},
        },
        {
            "do": "INSERT INTO hires (boat_id, person_id, starts_at, ends_at, price_cents, status, created_at) "
            "SELECT :boat_id, :actor_id, :starts_at, datetime(:starts_at, '+' || :hours || ' hours'), "
            ":hours * hourly_cents, 'booked', :now FROM boat_kinds WHERE id = :boat_kind_id RETURNING id",
            "rows": 1,
            "as": "hire_id",
        },
        {"do": _EVENT.format("booked"), "rows": 1},
    ],
    "returns": {"one": "SELECT id, boat_id, starts_at, ends_at, status, price_cents FROM hires WHERE id = :hire_id"},
}
_CANCEL = {
    "name": "cancel_hire",
    "steps": [
        _STATE,
        _must_be("booked"),
        {
            "require": "SELECT minutes_between(:now, :hire_starts_at) >= 60",
            "roles": ["customer"],
            "error": {
                "code": "forbidden",
                "message": "Hire {hire_id} starts at {hire_starts_at}: ask the boathouse.",
            },
        },
        *_set("cancelled", "cancelled"),
    ],
    "returns": {"one": "SELECT id, status FROM hires WHERE id = :hire_id"},
}
_HAND_OUT = {
    "name": "hand_out_boat",
    "steps": [
        _STATE,
        _must_be("booked"),
        {
            "require": "SELECT status = 'available' FROM boats WHERE id = :hire_boat_id",
            "error": {"code": "conflict", "message": "Boat {hire_boat_id} cannot be handed out now."},
        },
        {
            "require": "SELECT NOT EXISTS (SELECT 1 FROM hires WHERE boat_id = :hire_boat_id AND status = 'out')",
            "error": {"code": "conflict", "message": "Boat {hire_boat_id} is not back yet."},
        },
        *_set("out", "handed_out"),
    ],
    "returns": {"one": "SELECT id, status FROM hires WHERE id = :hire_id"},
}
_TAKE_BACK = {
    "name": "take_back_boat",
    "steps": [_STATE, _must_be("out"), *_set("returned", "returned")],
    "returns": {"one": "SELECT id, status, boat_id FROM hires WHERE id = :hire_id"},
}
_WITH_BOAT = (
    "SELECT d.id, d.boat_id, d.what, d.status, b.status AS boat_status FROM damages d JOIN boats b "
    "ON b.id = d.boat_id WHERE d.id = :damage_id"
)
_REPORT = {
    "name": "report_damage",
    "steps": [
        {
            "require": "SELECT status <> 'retired' FROM boats WHERE id = :boat_id",
            "error": {"code": "conflict", "message": "Boat {boat_id} is retired."},
        },
        {
            "do": "INSERT INTO damages (boat_id, reported_by, what, status, reported_at) "
            "VALUES (:boat_id, :actor_id, :what, 'open', :now) RETURNING id",
            "rows": 1,
            "as": "damage_id",
        },
        {"do": "UPDATE boats SET status = 'in_repair' WHERE id = :boat_id", "rows": 1},
    ],
    "returns": {"one": _WITH_BOAT},
}
_FIX = {
    "name": "fix_damage",
    "steps": [
        {"let": {"damage": {"row": "SELECT boat_id, status FROM damages WHERE id = :damage_id"}}},
        {
            "require": "SELECT :damage_status = 'open'",
            "error": {"code": "conflict", "message": "Damage {damage_id} is {damage_status} already."},
        },
        {"do": "UPDATE damages SET status = 'fixed', fixed_at = :now WHERE id = :damage_id", "rows": 1},
        {
            "do": "UPDATE boats SET status = 'available' WHERE id = :damage_boat_id AND status = 'in_repair' "
            "AND NOT EXISTS (SELECT 1 FROM damages WHERE boat_id = :damage_boat_id AND status = 'open')"
        },
    ],
    "returns": {"one": _WITH_BOAT},
}
_DAMAGES = {
    "name": "list_damages",
    "returns": {
        "many": "SELECT d.id, d.boat_id, b.label AS boat_label, d.what, d.status, p.name AS reported_by_name, "
        "d.reported_at, d.fixed_at FROM damages d JOIN boats b ON b.id = d.boat_id JOIN people p "
        "ON p.id = d.reported_by WHERE (:boat_id IS NULL OR d.boat_id = :boat_id) "
        "AND (:status IS NULL OR d.status = :status)",
        "order": "reported_at, id",
        "page": {"default": 20, "max": 100},
    },
}

WRITTEN: dict[str, dict[str, Any]] = {
    "hiring": {"tools": [_FIND, _LIST, _BOOK, _CANCEL, _GET]},
    "yard": {"tools": [_HAND_OUT, _TAKE_BACK, _REPORT, _FIX, _DAMAGES]},
}
