"""Solvers and tasks in every look; what is refused; pages; what a trace keeps; what a surface is part of."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from envolve.agents.solvers import solver_named
from envolve.environments import Environment, Episode, run_gold, task_version
from envolve.environments.models import Surface, Task
from envolve.environments.surface import drawn_surface
from envolve.environments.surface.certainty import certain_tables
from envolve.eval.regrading import EndState, replay
from envolve.eval.rollouts import episode_seed, roll_out

from .conftest import LOOKS, VALUES, Dress, named, with_surface

FAULTS = ({"tool": "list_restaurant_bookings", "call": 1, "kind": "error"},)


def surface(**values: str) -> Surface:
    return Surface.model_validate(values)


@pytest.mark.parametrize("look", LOOKS, ids=named)
def test_gold_reaches_its_goal_as_a_player_makes_it(dress: Dress, look: Surface) -> None:
    for world in ("sample", "composed"):
        environment = dress(world, look)
        for task in environment.tasks.values():
            with environment.play(task) as walked, environment.play(task) as played:
                assert run_gold(environment, task, episode=walked).ok
                for event in walked.trace.events:
                    assert event.shown is not None
                    assert played.call(event.shown.tool, **event.shown.args).ok
                verdict = played.verify()
                assert verdict.passed, verdict
                assert verdict == walked.verify()


@pytest.mark.parametrize("solver", ["gold", "null", "random", "slip:1", "search:30"])
@pytest.mark.parametrize("look", LOOKS[:4], ids=named)
def test_solvers_work_in_every_look_and_their_traces_can_be_regraded(
    dress: Dress, solver: str, look: Surface
) -> None:
    environment = dress("sample", look)
    task = environment.tasks["move-the-anniversary-dinner"]
    chosen = solver_named(solver)
    rollout = asyncio.run(roll_out(environment, task, chosen, index=0, purpose="free", seed=5))
    assert rollout.verdict.passed or solver != "gold"
    seed = episode_seed(5, rollout.version, rollout.profile, "free", 0)
    assert isinstance(replay(environment, task, rollout, seed=seed), EndState)


def test_simulated_solvers_do_in_every_look_what_they_do_in_the_plain_one(dress: Dress) -> None:
    ends = []
    for look in (Surface(), *LOOKS):
        environment = dress("sample", look)
        for task in environment.tasks.values():
            with environment.play(task, seed=11) as episode:
                asyncio.run(solver_named("slip:1").solve(episode))
                trace = episode.trace
                ends.append(([(event.tool, event.args, event.result) for event in trace.events], episode.verify()))
    tasks = len(dress("sample", Surface()).tasks)
    assert all(end == ends[number % tasks] for number, end in enumerate(ends))


def test_a_plain_surface_is_the_canonical_form(table_booking: Environment) -> None:
    assert table_booking.kit.look is None
    with table_booking.play("move-the-anniversary-dinner") as played:
        assert played.tools == played.canonical_tools
        assert all("shown" in event.model_dump() and event.shown is None for event in played.trace.events)


CAMEL = surface(names="camel", pages="cursor", results="wrapped", errors="coded")


@pytest.fixture
def camel(dress: Dress) -> Episode:
    return dress("sample", CAMEL).play("move-the-anniversary-dinner")


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("list_tables", {}, "There is no tool 'list_tables'"),
        ("listTables", {"restaurant_id": 31}, "there is no argument 'restaurant_id'; arguments: restaurantId"),
        ("listTables", {}, "missing: restaurantId"),
        ("listTables", {"restaurantId": 31, "minSeats": 0}, "minSeats: 0 is less than the minimum of 1"),
        ("listTables", {"restaurantId": 99}, "restaurantId: there is no id 99 in restaurants"),
        ("listRestaurantBookings", {"offset": 5}, "there is no argument 'offset'"),
        ("listRestaurantBookings", {"cursor": "bm90IG1pbmU"}, "cursor: is none that this tool gave"),
        ("listRestaurantBookings", {"cursor": None}, "cursor: None is not of type 'string'"),
        ("moveBooking", {"bookingId": 1806}, "Give tableId, startsAt or partySize"),
    ],
)
def test_what_is_wrong_is_said_in_the_players_words(
    camel: Episode, tool: str, args: dict[str, Any], said: str
) -> None:
    result = camel.call(tool, **args)
    assert result.payload()["error"]["code"] in ("NOT_FOUND", "INVALID_ARGUMENT")
    assert said in result.payload()["error"]["message"]
    assert camel.calls == 1
    assert not camel.changes().rows


def test_every_answer_has_the_look_those_of_the_runtime_too(dress: Dress) -> None:
    environment = dress("sample", surface(errors="problem", results="wrapped"))
    with environment.play("move-the-anniversary-dinner") as episode:
        unreadable = episode.unreadable("get_my_profile", "{")
        assert unreadable.payload()["status"] == 400
        assert episode.submit(status="odd").payload()["type"] == "urn:problem-type:invalid-argument"
        assert episode.submit().payload() == {"data": {"submitted": True}, "meta": {}}
        assert episode.call("get_my_profile").payload()["title"] == "Conflict"
        shown = [event.shown for event in episode.trace.events]
        assert shown[0] is not None
        assert shown[0].payload == unreadable.payload()
        assert all(shown)


@pytest.mark.parametrize("style", VALUES["pages"])
def test_pages_lead_through_all_items(dress: Dress, style: str) -> None:
    environment = dress("sample", surface(pages=style, names="camel"))
    with environment.play("move-the-anniversary-dinner") as episode:
        tool, size = "listRestaurantBookings", "perPage" if style == "pages" else "limit"
        whole = episode.call(tool).value
        found, place = [], dict[str, Any]()
        for page in range(1, 10):
            value = episode.call(tool, **{size: 2}, **place).value
            found += value["items"]
            assert value["total"] == len(whole["items"])
            following = {
                "offset": {"offset": value.get("nextOffset")},
                "cursor": {"cursor": value.get("nextCursor")},
                "pages": {"page": page + 1 if page < value.get("totalPages", 0) else None},
            }[style]
            if None in following.values():
                break
            place = following
        assert found == whole["items"]
        assert len(found) > 2


def test_a_cursor_of_another_tool_is_refused(dress: Dress) -> None:
    environment = dress("sample", surface(pages="cursor"))
    with environment.play("move-the-anniversary-dinner") as episode:
        cursor = episode.call("list_restaurant_bookings", limit=1).value["next_cursor"]
        assert episode.call("list_restaurant_bookings", limit=1, cursor=cursor).ok
        refused = episode.call("find_restaurants", cursor=cursor)
        assert refused.error is not None
        assert refused.error.code == "invalid_argument"


def test_columns_go_together_only_where_the_schema_says_so(dress: Dress) -> None:
    environment = dress("sample", surface(results="nested"))
    with environment.play("move-the-anniversary-dinner") as episode:
        row = episode.call("list_restaurant_bookings").value["items"][0]
    assert row["table"].keys() == {"id", "label"}
    assert {"person_id", "guest_name", "party_size"} <= row.keys()


def test_faults_hit_the_same_calls_however_they_are_made(dress: Dress) -> None:
    environment = dress("sample", CAMEL)
    task = environment.tasks["move-the-anniversary-dinner"].model_copy(update={"faults": FAULTS})
    with environment.play(task) as episode:
        first = episode.call("listRestaurantBookings", zz=1)
        second = episode.call("listRestaurantBookings")
    assert first.payload()["error"]["code"] == "LIMIT_EXCEEDED"
    assert second.ok


def test_rules_name_tools_and_parameters_as_they_are_spelled(table_booking: Environment) -> None:
    world = with_surface(table_booking, CAMEL, policy="1. Look at list_tables before you set table_id.")
    with world.play() as played, world.open() as canonical:
        assert "1. Look at listTables before you set tableId." in played.prompt()
        assert "1. Look at list_tables before you set table_id." in canonical.prompt()


def test_a_fork_looks_the_same(camel: Episode) -> None:
    assert camel.fork().call("getMyProfile").payload() == camel.call("getMyProfile").payload()


def test_the_surface_is_part_of_what_an_environment_and_a_measurement_are(table_booking: Environment) -> None:
    task: Task = table_booking.tasks["move-the-anniversary-dinner"]
    same, other = with_surface(table_booking, Surface()), with_surface(table_booking, CAMEL)
    assert same.hash == table_booking.hash != other.hash
    assert task_version(same, task) == task_version(table_booking, task) != task_version(other, task)


def test_surfaces_are_drawn_from_the_seed_alone_and_all_of_them_come_up() -> None:
    assert drawn_surface(3) == drawn_surface(3)
    drawn = [drawn_surface(seed) for seed in range(100)]
    for part, values in VALUES.items():
        assert {getattr(one, part) for one in drawn} == set(values)


IDS = surface(ids="prefixed", names="camel")


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ({"bookingId": "BKN-01806"}, None, ""),
        ({"bookingId": 1806}, "invalid_argument", "is not of type 'string'"),
        ({"bookingId": "RST-00031"}, "invalid_argument", "does not match"),
        ({"bookingId": "BKN-1806"}, "invalid_argument", "does not match"),
        ({"bookingId": "BKN-99999"}, "not_found", "bookingId: there is no id BKN-99999 in bookings"),
    ],
)
def test_ids_name_their_table_and_no_others_are_taken(
    dress: Dress, args: dict[str, Any], code: str | None, said: str
) -> None:
    with dress("sample", IDS).play("move-the-anniversary-dinner") as episode:
        result = episode.call("getBooking", **args)
        assert (result.error.code if result.error else None) == code
        assert said in (result.error.message if result.error else "")
        if code is None:
            assert result.value["id"] == "BKN-01806"
            assert result.value["restaurantId"] == "RST-00031"


def test_ids_of_arrays_messages_and_the_actor_are_written_out(dress: Dress) -> None:
    with dress("sample", IDS).play("move-the-anniversary-dinner") as episode:
        assert "id PPL-00305" in episode.prompt()
        refused = episode.call("markNoShows", bookingIds=["BKN-01806", "BKN-99999"])
        assert refused.error is not None
        assert "BKN-99999" in refused.error.message
        assert episode.call("cancelBooking", bookingId="BKN-01806").ok
        again = episode.call("cancelBooking", bookingId="BKN-01806")
        assert again.error is not None
        assert "Booking BKN-01806" in again.error.message


READS = """
- name: check_note
  description: Whether a note is open
  kind: read
  params: {note_id: {type: integer, ref: notes.id, default: 7, enum: [7, 8]}}
  steps: [{require: SELECT false, error: {code: conflict, message: "Note {note_id} is closed."}}]
  returns: {one: "SELECT id, user_id FROM notes WHERE id = :note_id"}
"""
COMPUTED = """
- name: last_note
  description: The newest note
  kind: read
  returns: {value: SELECT max(id) FROM notes}
- name: get_user
  description: One user
  kind: read
  params: {user_id: {type: integer, ref: users.id}}
  required: [user_id]
  returns: {one: "SELECT id, name FROM users WHERE id = :user_id"}
"""
UNSAID = """
- name: get_note
  description: One note
  kind: read
  params: {number: {type: integer}}
  required: [number]
  returns: {one: "SELECT id, user_id FROM notes WHERE id = :number"}
"""
UNION = """
- name: list_all
  description: Notes and users
  kind: read
  returns: {many: "SELECT id FROM notes UNION SELECT id FROM users"}
"""
KEPT = """
- name: keep
  description: Keep a number where nothing says whose it is
  kind: write
  params: {user_id: {type: integer, ref: users.id}}
  required: [user_id]
  steps: [{do: "INSERT INTO notes (user_id, about) VALUES (5, :user_id)"}]
"""
NOTES = """
CREATE TABLE notes (id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, about INTEGER) STRICT;
"""


def test_ids_that_a_schema_names_and_a_stale_answer_tells_are_written_out(make_environment: Any) -> None:
    made = make_environment(NOTES, "INSERT INTO notes VALUES (7, 5, NULL);", READS, surface=IDS)
    task = Task.model_validate(
        {
            "id": "look",
            "instruction": "Is the note open?",
            "actor": {"roles": ["user"], "id": 5},
            "goal": {"text": "nothing changes", "sql": "SELECT true"},
            "gold": [],
            "verifier": {},
            "faults": [{"tool": "check_note", "call": 1, "kind": "stale"}],
        }
    )
    with made.play(task) as episode:
        shown = episode.tools[0]["inputSchema"]["properties"]["noteId"]
        assert (shown["default"], shown["enum"]) == ("NTS-00007", ["NTS-00007", "NTS-00008"])
        for _ in ("stale", "fresh"):
            refused = episode.call("checkNote", noteId="NTS-00007")
            assert refused.error is not None
            assert refused.error.message == "Note NTS-00007 is closed."


@pytest.mark.parametrize(
    ("tools", "certain"),
    [(COMPUTED, {"users"}), (UNSAID, {"users"}), (UNION, set()), (KEPT, {"notes"}), (COMPUTED + UNSAID, {"users"})],
)
def test_ids_stay_numbers_where_it_is_not_certain_whose_they_are(
    make_environment: Any, tools: str, certain: set[str]
) -> None:
    made = make_environment(NOTES, "INSERT INTO notes VALUES (7, 5, NULL);", tools)
    assert certain_tables(made.plans, made.tables(), frozenset({"users"})) == certain
