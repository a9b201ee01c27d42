"""Verifiers that are wrong in a cunning way, and goals that are wrong in the same way: none is called sound."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from envolve.environments import Environment
from envolve.environments.models import Task
from envolve.environments.models.audits import GateName
from envolve.eval.audit import audit

BOOK, COUNT, MOVE = "book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"
Raw = dict[str, Any]
END: tuple[GateName, ...] = ("end_state_mutants",)
ACT: tuple[GateName, ...] = ("trajectory_mutants",)
NULL: tuple[GateName, ...] = ("null",)


class Cunning(NamedTuple):
    name: str
    task: str
    spoil: Callable[[Raw], None]
    gates: tuple[GateName, ...]


def asks(name: str, sql: str, *goal: str) -> Callable[[Raw], None]:
    """The requirement `name` asks for something else, and the goal (text, replacement) with it."""

    def spoil(raw: Raw) -> None:
        (check,) = (check for check in raw["verifier"]["require"] if check["name"] == name)
        check["sql"] = sql
        for text, other in zip(goal[::2], goal[1::2], strict=True):
            assert text in raw["goal"]["sql"]
            raw["goal"]["sql"] = raw["goal"]["sql"].replace(text, other)

    return spoil


def allows(table: str, where: str) -> Callable[[Raw], None]:
    return lambda raw: raw["verifier"]["allow"].append({"table": table, "insert": {"max": 1, "where": where}})


def goal_between(raw: Raw, start: str, end: str, other: str) -> None:
    sql = raw["goal"]["sql"]
    raw["goal"]["sql"] = sql[: sql.index(start)] + other + sql[sql.index(end) + len(end) :]


def two_tables(raw: Raw) -> None:
    asks("at the smallest fitting table", "SELECT table_id IN (529, 538) FROM after.bookings WHERE id = 1806")(raw)
    goal_between(raw, "AND a.table_id = (", "LIMIT 1)", "AND a.table_id IN (529, 538)")


def free_though_kept(raw: Raw) -> None:
    raw["verifier"]["free"] = {"bookings": ["note"]}
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("AND a.note IS b.note", "")


def free_though_said(raw: Raw) -> None:
    raw["verifier"]["free"] = {"bookings": ["note"]}
    raw["verifier"]["require"] = [check for check in raw["verifier"]["require"] if check["name"] != "with the note"]
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("AND same_text(b.note, 'window side, no music')", "")


def any_status(raw: Raw) -> None:
    raw["verifier"]["allow"][0]["columns"].append("status")
    raw["verifier"]["require"] = raw["verifier"]["require"][:-1]
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("AND a.status = 'confirmed' ", "")


def of_two_names(raw: Raw) -> None:
    raw["verifier"]["answer"] |= {"accept": ["José Álvarez"]}


def of_a_first_name(raw: Raw) -> None:
    raw["verifier"]["answer"] |= {"accept": ["Ada"]}


def any_time(raw: Raw) -> None:
    """Start and end hang on each other by an invariant: neither can be changed alone."""
    raw["verifier"]["allow"][0]["columns"] += ["starts_at", "ends_at"]
    raw["goal"]["sql"] = raw["goal"]["sql"].replace("AND a.starts_at = b.starts_at ", "")


def nearly_so_many(raw: Raw) -> None:
    raw["verifier"]["answer"] |= {"tolerance": 2}


def checks_that_share_a_name(raw: Raw) -> None:
    for check in raw["verifier"]["require"]:
        check["name"] = "right"


def booked(name: str, condition: str, goal: str, column: str, *more: str) -> Callable[[Raw], None]:
    """The requirement `name` on the new booking, and the goal's condition on it, ask for `condition`."""
    sql = f"SELECT {condition} FROM after.bookings WHERE id = :booking"
    return asks(name, sql, goal, condition.replace(column, f"b.{column}"), *more)


def at(condition: str) -> Callable[[Raw], None]:
    return booked("on Saturday at half past seven", condition, "b.starts_at = '2026-03-07 19:30:00'", "starts_at")


def party(condition: str) -> Callable[[Raw], None]:
    return booked("confirmed for four", f"{condition} AND status = 'confirmed'", "b.party_size = 4", "party_size")


def noted(condition: str) -> Callable[[Raw], None]:
    return booked("with the note", condition, "same_text(b.note, 'window side, no music')", "note")


def at_table(condition: str, features: str) -> Callable[[Raw], None]:
    """Any table of the kind, at any place."""
    found = f"(SELECT {condition} FROM before.dining_tables WHERE id = table_id)"
    place = "AND r.cuisine = 'Italian' AND r.neighborhood = 'Old Town'"
    wanted = f"SELECT {found} FROM after.bookings WHERE id = :booking"
    return asks("at the terrace table", wanted, "AND t.features LIKE '%terrace%'", features, place, "")


SIX_ELSEWHERE = "SELECT party_size = 6 FROM after.bookings WHERE id = 1819"
EVENING = "starts_at > '2026-03-07 18:00:00' AND starts_at < '2026-03-08'"
NOT_DONE = "SELECT party_size = 4 AND status <> 'done' FROM after.bookings WHERE id = :booking"
CASES = [
    Cunning("a row that agrees", MOVE, asks("party of six", SIX_ELSEWHERE, "a.party_size = 6 AND", ""), END),
    Cunning("any time of the evening", BOOK, at(EVENING), ACT),
    Cunning("any time of the day", BOOK, at("date(starts_at) = '2026-03-07'"), ACT),
    Cunning("any day", BOOK, at("time(starts_at) = '19:30:00'"), ACT),
    Cunning("a smaller party", BOOK, party("party_size <= 4"), END),
    Cunning("a party of three too", BOOK, party("party_size BETWEEN 3 AND 4"), END),
    Cunning(
        "any status but done",
        BOOK,
        asks("confirmed for four", NOT_DONE, "b.status = 'confirmed'", "b.status <> 'done'"),
        END,
    ),
    Cunning("either of two tables", MOVE, two_tables, END),
    Cunning("a table as large", BOOK, at_table("seats = 4", "AND t.seats = 4"), END),
    Cunning("any terrace", BOOK, at_table("features LIKE '%terrace%'", "AND t.features LIKE '%terrace%'"), END),
    Cunning("a note that says more before", BOOK, noted("note LIKE '%window side, no music'"), END),
    Cunning("a note that says more behind", BOOK, noted("note LIKE 'window side, no music%'"), END),
    Cunning("a note about windows", BOOK, noted("has_word(note, 'window')"), END),
    Cunning("another waitlist", BOOK, allows("waitlist", "person_id = 204"), ACT),
    Cunning("NULL lets it in", BOOK, allows("waitlist", "person_id = 204 OR wanted_on IS NULL"), ACT),
    Cunning("a second booking of hers", MOVE, allows("bookings", "person_id = 204 AND status = 'confirmed'"), END),
    Cunning("a booking at a table", MOVE, allows("bookings", "table_id = 538 AND party_size = 6"), END),
    Cunning("a booking beside the one bound", BOOK, allows("bookings", "id <> :booking"), END),
    Cunning("any status of the booking", MOVE, any_status, END),
    Cunning("any time of the booking", MOVE, any_time, ACT),
    Cunning("a free column that gold leaves alone", MOVE, free_though_kept, END),
    Cunning("a free column that the instruction reaches", BOOK, free_though_said, END),
    Cunning("the name of another guest", COUNT, of_two_names, NULL),
    Cunning("the first name of another guest", COUNT, of_a_first_name, NULL),
    Cunning("two guests more or less", COUNT, nearly_so_many, NULL),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_cunning_verifier_is_not_called_sound(
    environment: Environment, spoiled: Callable[[str, Callable[[Raw], None]], Task], case: Cunning
) -> None:
    """The gates that it is for find it, whatever the others say."""
    for seed in (0, 1):
        report = audit(environment, spoiled(case.task, case.spoil), seed=seed, gates=("gold", *case.gates))
        failed = {result.gate: result.message for result in report.gates if result.status == "failed"}
        assert report.grade != "sound"
        assert set(case.gates) <= set(failed), failed
        assert all(report.gate(gate).evidence for gate in case.gates)


def test_checks_of_one_name_are_told_apart(
    environment: Environment, spoiled: Callable[[str, Callable[[Raw], None]], Task]
) -> None:
    report = audit(environment, spoiled(MOVE, checks_that_share_a_name))
    assert report.grade == "sound", report.gate("goal")
