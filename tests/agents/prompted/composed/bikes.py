"""A bike shop that rents and repairs bikes."""

from __future__ import annotations

from envolve.agents.base import Brief, Scenario

from .player import Composed

BIKES = Composed(
    brief=Brief(
        scenario=Scenario(
            id="canal-cycles",
            name="Canal Cycles",
            category="trades",
            text="A bike shop beside the canal rents bikes by the hour and repairs those that people bring in. "
            "Mechanics take parts from the shelf for a repair. A rental that is cancelled late costs half, and a bike "
            "with a serious fault stays in the workshop. The shop owner decides on prices.",
        ),
        seed=5,
    ),
    design={
        "archetypes": {
            "resources": {
                "kinds": "column",
                "closures": "status",
                "features": "tags",
                "naming": "numbered",
                "size": "single",
                "rates": "hourly",
            },
            "bookings": {"capacity": "exclusive", "cancellation": "fee_late", "waiting": "none", "extras": "priced"},
            "tickets": {"topics": "table", "duplicates": "none", "watching": "none", "resolving": "handler_only"},
            "catalogue": {"stock": "ledger", "grouping": "flat", "places": "none", "pricing": "plain"},
        },
        "links": {"ticket_about_resource": {}, "ticket_uses_stock": {}, "ticket_about_booking": {}},
        "category": "trades",
        "trade": "bicycles",
        "roles": {"customer": "rider", "staff": "mechanic", "manager": "shop owner"},
        "nouns": {
            "resources.resource": "bike",
            "resources.feature": "bike fitting",
            "bookings.booking": "rental",
            "bookings.extra": "add-on",
            "bookings.line": "rented add-on",
            "tickets.ticket": "repair job",
            "tickets.topic": "fault group",
            "tickets.comment": "workshop remark",
            "catalogue.item": "spare part",
            "catalogue.category": "part shelf",
            "catalogue.movement": "stock count entry",
            "ticket_uses_stock.use": "fitted part",
        },
    },
    words={
        "lists": {
            "extras": ["child seat", "pannier pair", "rain cape", "towpath map", "puncture kit", "trailer"],
            "booking_notes": [
                "tall frame please",
                "back before the lock closes",
                "two helmets as well",
                "own pedals",
                "first time on a step-through",
                "leaves a deposit in cash",
                "wants the green one again",
            ],
            "features": ["hub gears", "dynamo lights", "front rack", "belt drive", "suspension post", "mudguards"],
        },
        "grouped": {
            "ticket_subjects": [
                {
                    "heading": "gears",
                    "words": ["Chain skips under load", "Shifter stuck in third", "Mech hanger bent"],
                },
                {"heading": "brakes", "words": ["Rear brake squeals", "Lever pulls to the bar", "Rotor rubs"]},
                {"heading": "wheels", "words": ["Slow puncture at the back", "Broken spoke", "Rim out of true"]},
            ],
            "stock": [
                {"heading": "Tyres", "words": ["Touring Tyre", "Inner Tube 28", "Rim Tape", "Tubeless Valve"]},
                {"heading": "Drivetrain", "words": ["Eight Speed Chain", "Cassette", "Gear Cable", "Jockey Wheel"]},
                {"heading": "Stopping", "words": ["Brake Blocks", "Disc Pads", "Brake Cable", "Caliper"]},
            ],
        },
    },
)
