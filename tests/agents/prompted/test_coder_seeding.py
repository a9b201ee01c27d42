"""Which tables are filled together, and what is shown of the rows before."""

from __future__ import annotations

from functools import cache
from typing import Any

from envolve.agents.prompted.coder.filling import filled_text
from envolve.agents.prompted.coder.rows import Rows
from envolve.agents.prompted.coder.seeding import batches
from envolve.environments.building import build_world
from envolve.environments.schema import TableInfo

CLOCK = "2026-03-02 09:00:00"
COLUMNS = {
    "accounts": "name TEXT NOT NULL",
    "zones": "name TEXT NOT NULL",
    "jobs": "account_id INTEGER REFERENCES accounts (id), zone_id INTEGER REFERENCES zones (id), "
    "status TEXT, note TEXT, due_on TEXT, price_cents INTEGER",
    "stops": "job_id INTEGER REFERENCES jobs (id), label TEXT",
    "job_events": "job_id INTEGER REFERENCES jobs (id), kind TEXT, happened_at TEXT",
    "ledger": "job_id INTEGER REFERENCES jobs (id), amount_cents INTEGER, booked_on TEXT",
    "holidays": "name TEXT",
}


@cache
def tables() -> dict[str, TableInfo]:
    sql = "".join(
        f"CREATE TABLE {name} (id INTEGER NOT NULL PRIMARY KEY, {columns}) STRICT;\n"
        for name, columns in COLUMNS.items()
    )
    return dict(build_world(sql, "", CLOCK).tables)


def rows(count: int) -> Rows:
    def made(table: str, **values: Any) -> dict[tuple[Any, ...], dict[str, Any]]:
        return {(number,): {"id": number, **values} for number in range(100, 100 + count)}

    return {
        "accounts": made("accounts", name="Atelier"),
        "jobs": {
            (number,): {
                "id": number,
                "account_id": 100,
                "status": ("open", "done")[number % 2],
                "note": f"bring the parcel {number}",
                "due_on": "2026-03-04",
                "price_cents": 1200,
            }
            for number in range(100, 100 + count)
        },
        "job_events": made("job_events", job_id=100, kind="taken", happened_at="2026-03-01 10:00:00"),
        "holidays": made("holidays", name="Easter"),
    }


def test_what_happened_to_rows_is_filled_with_them_where_there_is_room() -> None:
    part = ["ledger", "job_events", "jobs", "zones", "accounts"]
    assert batches([part], tables(), 4) == [("zones", "accounts", "jobs", "ledger"), ("job_events",)]
    assert batches([part], tables(), 4, ["job_events"]) == [("zones", "accounts", "jobs", "ledger", "job_events")]


def test_other_tables_stay_in_the_order_of_their_references() -> None:
    assert batches([["stops", "jobs", "zones", "accounts"]], tables(), 3) == [
        ("zones", "accounts", "jobs"),
        ("stops",),
    ]
    assert batches([["accounts"], ["ledger", "holidays"]], tables(), 2) == [("accounts",), ("holidays", "ledger")]


def test_rows_of_parents_and_of_those_with_the_same_parents_are_shown_whole() -> None:
    shown = filled_text(rows(40), tables(), ["ledger"])
    for table in ("jobs", "accounts", "job_events"):
        assert f"{table} (40 rows)" in shown
    assert "holidays (40 rows, the first 8)" in shown
    assert shown.count("bring the parcel") == 40


def test_large_tables_are_shown_by_the_columns_that_others_must_agree_with() -> None:
    shown = filled_text(rows(400), tables(), ["ledger"])
    assert "jobs (400 rows)" in shown
    assert "bring the parcel 499" not in shown
    assert "  499 | 100 | done | 2026-03-04 | 1200" in shown
