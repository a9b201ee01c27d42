"""Tasks that are no plain change and no plain question: refusals, repeated calls, other programs, told facts."""

from collections.abc import Callable
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import Grounding, Task
from envolve.environments.models.audits import GateName
from envolve.environments.models.tasks import GoldStep
from envolve.eval.audit import audit

MOVE = "move-the-anniversary-dinner"


def task(**fields: Any) -> Task:
    return Task.model_validate({"id": "made", **fields})


def program(*steps: dict[str, Any]) -> tuple[GoldStep, ...]:
    made = task(instruction="-", actor={"roles": ["host"], "id": 305}, goal={"text": "-"}, gold=list(steps))
    return made.gold


@pytest.fixture
def refusal() -> Task:
    return task(
        instruction="Cancel my table at The Copper Kettle for this morning, please.",
        actor={"roles": ["diner"], "id": 209},
        goal={"text": "Nothing changes; the second rule is given as the reason."},
        grounding={
            "my table at The Copper Kettle for this morning": {
                "expect": "one",
                "table": "bookings",
                "sql": "SELECT b.id FROM before.bookings b JOIN before.dining_tables t ON t.id = b.table_id"
                " JOIN before.restaurants r ON r.id = t.restaurant_id WHERE r.name = 'The Copper Kettle'"
                " AND b.person_id = :actor_id AND date(b.starts_at) = :today",
            }
        },
        gold=[
            {"call": "list_my_bookings", "args": {"status": "confirmed"}, "as": "found"},
            {"submit": {"status": "refused", "reason": 2}},
        ],
        verifier={"submit": {"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}},
        twin="cancel-a-later-table",
    )


@pytest.fixture
def twin(refusal: Task) -> Task:
    """The same request for a booking that is far enough ahead."""
    raw = refusal.model_dump(mode="json", by_alias=True)
    made = "UPDATE bookings SET starts_at = '2026-03-02 19:30:00', ends_at = '2026-03-02 21:30:00' WHERE id = 1833"
    return Task.model_validate(
        {
            **raw,
            "id": "cancel-a-later-table",
            "twin": None,
            "setup": [made],
            "verifier": {**raw["verifier"], "submit": {"status": "done", "options": [1, 2, 3, 4]}},
        }
    )


@pytest.fixture
def cancel_all() -> Task:
    """Every booking of one day, by a repeated call."""
    day = "date(starts_at) = '2026-03-06' AND status = 'confirmed' AND table_id IN (524, 529, 533, 538)"
    return task(
        instruction="We are closed this Friday. Cancel every confirmed booking we have that day.",
        actor={"roles": ["host"], "id": 305},
        goal={
            "text": "No booking of that day is confirmed any more.",
            "sql": "SELECT sum(a.status = 'cancelled') = count(*) AND sum(a.note IS b.note) = count(*)"
            " FROM after.bookings a JOIN before.bookings b ON b.id = a.id"
            " JOIN before.dining_tables t ON t.id = b.table_id"
            " WHERE t.restaurant_id = 31 AND date(b.starts_at) = '2026-03-06' AND b.status = 'confirmed'",
        },
        grounding={
            "every confirmed booking we have that day": {
                "expect": "set",
                "table": "bookings",
                "sql": f"SELECT id FROM before.bookings WHERE {day}",
            }
        },
        gold=[
            {
                "call": "list_restaurant_bookings",
                "args": {"on_date": "2026-03-06", "status": "confirmed"},
                "as": "found",
            },
            {"pick": "ids", "sql": "SELECT id FROM $found", "many": True},
            {"call": "cancel_booking", "args": {"booking_id": "$it.id"}, "each": "$ids"},
            {"submit": {"status": "done"}},
        ],
        verifier={
            "require": [
                {"name": f"{id} cancelled", "sql": f"SELECT status = 'cancelled' FROM after.bookings WHERE id = {id}"}
                for id in (1806, 1815, 1819, 1828)
            ],
            "allow": [
                {"table": "bookings", "key": {"id": id}, "columns": ["status"]} for id in (1806, 1815, 1819, 1828)
            ],
        },
    )


def test_a_refusal_is_left_to_its_twin(environment: Environment, refusal: Task, twin: Task) -> None:
    report = audit(environment.with_tasks([twin]), refusal)
    assert report.grade == "sound"
    assert "twin" in report.gate("null").message
    assert report.gate("prefix").status == "not_run"
    assert report.mutants.total > 10


def test_a_refusal_without_its_twin_is_not_sound(environment: Environment, refusal: Task) -> None:
    report = audit(environment, refusal)
    assert report.gate("twins").status == "failed"
    assert "not among the environment's tasks" in report.gate("twins").message
    assert report.grade == "weak"


def test_a_pair_that_a_habit_passes_is_weak(environment: Environment, refusal: Task, twin: Task) -> None:
    idle = twin.model_copy(update={"verifier": twin.verifier.model_copy(update={"submit": refusal.verifier.submit})})
    report = audit(environment.with_tasks([idle]), refusal)
    assert "always submits refused under rule 2" in str(report.gate("twins").evidence)


def test_a_refusal_is_held_against_its_twin(environment: Environment, refusal: Task, twin: Task) -> None:
    assert audit(environment.with_tasks([twin]), refusal).gate("twins").status == "passed"
    for submit, says in (
        ({"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}, "is refused too"),
        ({"status": "done"}, "tells the two apart"),
        ({"status": "done", "options": [1, 2, 3]}, "tells the two apart"),
    ):
        other = Task.model_validate({**twin.model_dump(by_alias=True), "verifier": {"submit": submit}})
        report = audit(environment.with_tasks([other]), refusal)
        assert (report.grade, report.gate("twins").status) == ("weak", "failed")
        assert says in str(report.gate("twins").evidence)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"twin": None}, "no twin in which it is not refused"),
        ({"twin": None, "verifier": {"submit": {"status": "impossible"}}}, "no twin in which it is not impossible"),
        ({"verifier": {"submit": {"status": "refused", "options": [1, 2, 3, 4]}}}, "any reason passes"),
        ({"verifier": {"submit": {"status": "refused", "reason": 2, "options": [1, 2, 2]}}}, "one of 2 rules"),
        ({"verifier": {"submit": {"status": "refused", "reason": 2, "options": [1, 2, 3, 4, 9]}}}, "no rule 9"),
    ],
)
def test_a_refusal_that_does_not_say_why_is_weak(
    environment: Environment, refusal: Task, changes: dict[str, Any], says: str
) -> None:
    raw = {**refusal.model_dump(mode="json", by_alias=True), **changes}
    raw["gold"][-1] = {"submit": {"status": raw["verifier"]["submit"]["status"], "reason": 2}}
    report = audit(environment, Task.model_validate(raw))
    assert report.gate("twins").status == "failed"
    assert says in str(report.gate("twins").evidence)
    assert report.grade in ("weak", "broken")


def test_a_refusal_that_also_takes_done_is_weak(environment: Environment, refusal: Task) -> None:
    lenient = refusal.model_copy(
        update={
            "gold": (*refusal.gold[:-1], *program({"submit": {"status": "done"}})),
            "verifier": refusal.verifier.model_copy(
                update={"submit": refusal.verifier.submit.model_copy(update={"status": "done", "reason": None})}
            ),
        }
    )
    report = audit(environment, lenient)
    assert report.grade == "weak"
    assert report.gate("null").status == "failed"
    assert report.null_passes == 1


def test_repeated_calls_are_needed_one_by_one(environment: Environment, cancel_all: Task) -> None:
    assert audit(environment, cancel_all).grade == "sound"
    verifier = cancel_all.verifier.model_copy(update={"require": cancel_all.verifier.require[:-1]})
    report = audit(environment, cancel_all.model_copy(update={"verifier": verifier}))
    assert report.gate("prefix").status == "failed"
    assert "one cancel_booking" in str(report.gate("prefix").evidence)


def test_other_programs_to_the_same_end_must_pass(environment: Environment) -> None:
    original = environment.tasks[MOVE]
    direct = program(
        {"call": "list_restaurant_bookings", "args": {"on_date": "2026-03-06"}},
        {"call": "move_booking", "args": {"booking_id": 1806, "table_id": 529, "party_size": 6}},
        {"submit": {"status": "done"}},
    )
    with_it, without = (audit(environment, original, alternatives=ways) for ways in ([direct], []))
    assert with_it.grade == "sound"
    assert with_it.alternatives.total == without.alternatives.total + 1


def test_another_end_that_passes_makes_the_task_disputed(environment: Environment) -> None:
    """The verifier takes any table with six seats: a reader has to say whether that is right."""
    original = environment.tasks[MOVE]
    checks = [check for check in original.verifier.require if check.name != "at the smallest fitting table"]
    lenient = original.model_copy(
        update={
            "verifier": original.verifier.model_copy(update={"require": tuple(checks)}),
            "goal": original.goal.model_copy(
                update={"sql": "SELECT party_size = 6 FROM after.bookings WHERE id = 1806"}
            ),
        }
    )
    larger = program(
        {"call": "move_booking", "args": {"booking_id": 1806, "table_id": 538, "party_size": 6}},
        {"submit": {"status": "done"}},
    )
    report = audit(environment, lenient, gates=("gold", "goal", "alternatives"), alternatives=[larger])
    assert report.grade == "disputed"
    assert "other ends pass" in report.gate("alternatives").message


def test_given_programs_that_fail_say_nothing(environment: Environment) -> None:
    wrong = program(
        {"call": "move_booking", "args": {"booking_id": 1, "party_size": 6}}, {"submit": {"status": "done"}}
    )
    assert audit(environment, environment.tasks[MOVE], alternatives=[wrong]).grade == "sound"


def test_what_a_person_tells_counts_as_said(
    environment: Environment, spoiled: Callable[[str, Callable[[dict[str, Any]], None]], Task]
) -> None:
    def tell(raw: dict[str, Any]) -> None:
        raw["instruction"] = raw["instruction"].replace("window side, no music", "what I told you")
        if told:
            raw["user"] = {"facts": {"note": "Let them note: window side, no music."}}

    for told, grade in ((True, "sound"), (False, "ambiguous")):
        report = audit(environment, spoiled("book-the-terrace-for-four", tell))
        assert (report.grade, report.gate("grounding").status == "passed") == (grade, told)


def test_injected_faults_do_not_disturb_the_audit(environment: Environment) -> None:
    original = environment.tasks[MOVE]
    disturbed = original.model_copy(update={"faults": ({"tool": "move_booking", "call": 1, "kind": "error"},)})
    assert audit(environment, disturbed).grade == "sound"


def test_another_seed_samples_other_mutants(environment: Environment) -> None:
    original = environment.tasks["book-the-terrace-for-four"]
    assert {audit(environment, original, seed=seed, search_calls=0, attack_calls=0).grade for seed in (1, 2)} == {
        "sound"
    }


@pytest.mark.parametrize(
    ("table", "id", "found"),
    [
        ("people", 222, True),  # by a search for words of the name
        ("dining_tables", 571, True),  # in the list of its restaurant
        ("restaurants", 47, True),  # on a later page
        ("waitlist", 86, True),
        ("bookings", 1815, True),
        ("bookings", 1846, False),  # of another restaurant
    ],
)
def test_rows_that_gold_does_not_see_are_looked_for(
    environment: Environment, table: str, id: int, found: bool
) -> None:
    original = environment.tasks["count-fridays-guests"]
    phrase = Grounding(expect="one", table=table, sql=f"SELECT id FROM before.{table} WHERE id = {id}")
    task_with_phrase = original.model_copy(update={"grounding": {**original.grounding, "the evening": phrase}})
    gates: tuple[GateName, ...] = ("grounding",)
    report = audit(environment, task_with_phrase, gates=gates)
    assert (report.gate("grounding").status == "passed") is found
