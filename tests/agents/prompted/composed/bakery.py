"""A neighbourhood bakery that takes cake orders."""

from __future__ import annotations

from envolve.agents.base import Brief, Scenario

from .player import Composed

BAKERY = Composed(
    brief=Brief(
        scenario=Scenario(
            id="corner-bakery",
            name="Corner Bakery",
            category="",
            text="A neighbourhood bakery takes orders for cakes, tarts and loaves. Regulars order ahead and collect at "
            "the counter, with a discount code now and then. Cakes go on a bill that is paid before they leave the "
            "shop. Regulars write to the bakers about allergies, candles and what is to be piped on top.",
        ),
        seed=11,
    ),
    design={
        "archetypes": {
            "orders": {"stock": "reserve", "delivery": "pickup", "discounts": "vouchers", "returns": "none"},
            "catalogue": {"grouping": "flat", "stock": "counted", "places": "none", "pricing": "plain"},
            "billing": {"refunds": "managers_only", "methods": "named", "reminders": "none"},
            "threads": {"membership": "pair", "labels": "one", "notes": "internal"},
            "people": {"staffing": "flat", "contact": "plain", "file": "none"},
        },
        "links": {"order_invoiced": {"release": "paid_first"}, "thread_about_order": {}},
        "category": "retail",
        "trade": "bakery",
        "roles": {"customer": "regular", "staff": "baker", "manager": "head baker"},
        "nouns": {
            "orders.order": "cake order",
            "orders.voucher": "discount code",
            "catalogue.item": "bake",
            "catalogue.category": "counter section",
            "catalogue.loss": "binned batch",
            "billing.invoice": "cake bill",
            "billing.payment": "payment",
            "billing.refund": "refund",
            "threads.thread": "cake chat",
            "threads.message": "message",
            "threads.label": "chat label",
        },
    },
    words={
        "lists": {
            "order_notes": [
                "no nuts anywhere near it",
                "pipe Happy 40th in blue",
                "slice the loaves please",
                "two boxes, one for each house",
                "candles on the side",
                "collecting before school",
                "gluten free base",
                "less sugar than last time",
            ],
            "charge_subjects": [
                "birthday cake",
                "wedding tasting",
                "weekly bread",
                "sugar flowers",
                "late collection",
                "cake stand hire",
                "office platter",
            ],
        },
        "grouped": {
            "stock": [
                {"heading": "Loaves", "words": ["Malted Bloomer", "Rye Tin", "Olive Fougasse", "Oat Batard"]},
                {
                    "heading": "Layer cakes",
                    "words": ["Lemon Drizzle", "Carrot and Walnut", "Coffee Gateau", "Black Forest"],
                },
                {"heading": "Tarts", "words": ["Bakewell", "Treacle Tart", "Pear Frangipane", "Custard Slice"]},
                {"heading": "Buns", "words": ["Cinnamon Knot", "Chelsea Bun", "Iced Finger"]},
            ]
        },
    },
)
