"""What prompts show of an environment: compact, within bounds, and only what may be seen."""

from pathlib import Path

import pytest

from envolve.agents.prompted import showing
from envolve.environments.gold import run_gold
from envolve.environments.package import Environment

PACKAGE = Path(__file__).parents[2] / "data" / "table-booking"


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(PACKAGE)


def test_tools_say_what_a_caller_needs(environment: Environment) -> None:
    text = showing.tools_text(environment)
    assert "cancel_booking (write; anyone): Cancel a confirmed booking and free its table." in text
    assert "  booking_id* integer (names bookings.id; for diner only where person_id = :actor_id): Booking" in text
    assert "  party_size* integer (≥ 1; ≤ 20): Number of guests" in text
    assert "refuses" not in text


def test_tools_of_a_role_leave_out_those_of_others(environment: Environment) -> None:
    text = showing.tools_text(environment, ("diner",))
    assert "list_my_bookings" in text
    assert "mark_no_shows" not in text


def test_inside_a_tool_stand_its_writes_and_refusals(environment: Environment) -> None:
    text = showing.tools_text(environment, inside=True)
    assert (
        "  writes: insert booking_events, update bookings.cancelled_at, update bookings.note, update bookings.status"
        in text
    )
    assert "  refuses (conflict): Booking {booking_id} is {booking_status}, not confirmed." in text


def test_schema_and_classes(environment: Environment) -> None:
    text = showing.schema_text(environment)
    assert text.count("CREATE TABLE") == 6
    assert "Log tables, never compared: booking_events" in text


def test_rows_are_spread_over_the_table_and_counted(environment: Environment) -> None:
    text = showing.rows_text(environment, ("bookings",), 4)
    assert "bookings: 14 rows" in text
    assert "  status: confirmed (11), cancelled (1), done (1), seated (1)" in text
    assert "  starts_at: 2026-02-28 20:00:00 to 2026-03-13 19:00:00" in text
    assert [line.split(" | ")[0].strip() for line in text.splitlines() if " | " in line] == [
        "id",
        "1806",
        "1824",
        "1842",
        "1860",
    ]
    assert "restaurants:" not in text


def test_rows_show_the_setup_of_a_task(environment: Environment) -> None:
    task = environment.tasks["count-fridays-guests"]
    moved = task.model_copy(update={"setup": ("DELETE FROM waitlist",)})
    assert "waitlist: 0 rows" in showing.rows_text(environment, task=moved)


def test_a_transcript_is_shortened_where_it_is_long(environment: Environment) -> None:
    task = environment.tasks["move-the-anniversary-dinner"]
    with environment.open(task) as episode:
        run = run_gold(environment, task, episode=episode)
        whole, short = showing.transcript_text(episode.trace, 8_000), showing.transcript_text(episode.trace, 900)
    assert 'list_restaurant_bookings(on_date="2026-03-06", guest_name="Lindqvist") -> {"items": [{"id": 1806' in whole
    assert len(short) <= 900
    assert "4. submit" in short
    assert "bookings id=1806 updated: table_id: 524 -> 529, party_size: 4 -> 6" in showing.changes_text(
        run.changes.rows
    )


def test_what_does_not_fit_is_counted() -> None:
    from envolve.agents.prompted.clipping import lines_within

    assert lines_within(["a" * 10, "b" * 10, "c"], 15) == "a" * 10 + "\n(2 more lines left out)"
