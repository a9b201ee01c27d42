"""Rows of the kayak hire, whose time starts on Friday, 2026-02-06, at nine."""

from __future__ import annotations

from typing import Any

_PEOPLE = [
    [412, "Ada Okafor", "ada.okafor@example.com", "customer"],
    [415, "Adam Okafor", "adam.okafor@example.com", "customer"],
    [421, "Ada Lindqvist", "ada.lindqvist@example.com", "customer"],
    [426, "José Álvarez", "jose.alvarez@example.com", "customer"],
    [433, "Mei Tanaka", "mei.tanaka@example.com", "customer"],
    [437, "Chiara Rossi", "chiara.rossi@example.com", "customer"],
    [502, "Tom Whitfield", "tom@boathouse.example.com", "staff"],
    [509, "Nadia Haddad", "nadia@boathouse.example.com", "staff"],
]
_KINDS = [[31, "Single", 1, 900], [34, "Double", 2, 1400], [38, "Double tourer", 2, 1700], [43, "Family", 4, 2300]]
_BOATS = [
    [711, "K1", 31, "red", "available"],
    [716, "K2", 31, "blue", "available"],
    [720, "K3", 34, "red", "available"],
    [727, "K4", 34, "green", "in_repair"],
    [731, "K5", 38, "red", "available"],
    [738, "K6", 38, "blue", "available"],
    [742, "K7", 43, "yellow", "available"],
    [749, "K8", 43, "yellow", "retired"],
    [753, "K9", 31, "green", "in_repair"],
]
_HIRES = [
    [1806, 711, 412, "2026-02-06 09:30:00", "2026-02-06 11:30:00", 1800, "booked", "2026-02-03 10:00:00"],
    [1811, 720, 412, "2026-02-07 14:00:00", "2026-02-07 16:00:00", 2800, "booked", "2026-02-03 10:05:00"],
    [1815, 731, 415, "2026-02-06 08:00:00", "2026-02-06 10:00:00", 3400, "out", "2026-02-01 18:20:00"],
    [1822, 738, 421, "2026-02-07 14:00:00", "2026-02-07 16:00:00", 3400, "booked", "2026-02-02 09:12:00"],
    [1826, 742, 426, "2026-02-07 10:00:00", "2026-02-07 13:00:00", 6900, "booked", "2026-02-04 16:45:00"],
    [1830, 742, 426, "2026-02-14 10:00:00", "2026-02-14 13:00:00", 6900, "booked", "2026-02-04 16:50:00"],
    [1837, 720, 433, "2026-02-07 14:00:00", "2026-02-07 15:00:00", 1400, "cancelled", "2026-01-30 12:00:00"],
    [1841, 716, 433, "2026-02-05 09:00:00", "2026-02-05 11:00:00", 1800, "returned", "2026-01-30 12:10:00"],
    [1848, 727, 437, "2026-02-04 15:00:00", "2026-02-04 17:00:00", 2800, "returned", "2026-02-01 08:00:00"],
    [1852, 716, 421, "2026-02-06 08:30:00", "2026-02-06 09:30:00", 900, "out", "2026-02-05 20:00:00"],
]
_EVENTS = [
    [9043, 1806, "booked", "2026-02-03 10:00:00"],
    [9047, 1811, "booked", "2026-02-03 10:05:00"],
    [9052, 1815, "booked", "2026-02-01 18:20:00"],
    [9058, 1815, "handed_out", "2026-02-06 08:02:00"],
    [9063, 1837, "booked", "2026-01-30 12:00:00"],
    [9069, 1837, "cancelled", "2026-02-01 07:30:00"],
    [9074, 1841, "returned", "2026-02-05 10:51:00"],
]
_DAMAGES = [
    [611, 727, 502, "Bent rudder", "open", "2026-02-04 17:05:00", None],
    [617, 727, 509, "Crack in the hull below the seat", "open", "2026-02-05 08:40:00", None],
    [622, 753, 502, "Foot rest is loose", "open", "2026-02-02 12:00:00", None],
    [628, 711, 509, "Scratched paint", "fixed", "2026-01-20 16:00:00", "2026-01-22 09:00:00"],
]

SEEDS: dict[str, dict[str, Any]] = {
    "people": {
        "tables": [
            {"table": "people", "columns": ["id", "name", "email", "role"], "rows": _PEOPLE},
            {"table": "boat_kinds", "columns": ["id", "name", "seats", "hourly_cents"], "rows": _KINDS},
            {"table": "boats", "columns": ["id", "label", "kind_id", "color", "status"], "rows": _BOATS},
        ]
    },
    "hires": {
        "tables": [
            {
                "table": "hires",
                "columns": [
                    "id",
                    "boat_id",
                    "person_id",
                    "starts_at",
                    "ends_at",
                    "price_cents",
                    "status",
                    "created_at",
                ],
                "rows": _HIRES,
            },
            {"table": "hire_events", "columns": ["id", "hire_id", "kind", "at"], "rows": _EVENTS},
            {
                "table": "damages",
                "columns": ["id", "boat_id", "reported_by", "what", "status", "reported_at", "fixed_at"],
                "rows": _DAMAGES,
            },
        ]
    },
}
