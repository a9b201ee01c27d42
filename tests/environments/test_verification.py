"""Verdicts: what completes a task, what fails it, what damages, and what says nothing about the solver."""

import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from envolve.environments import Environment
from envolve.environments.changes import ChangeSet, decode
from envolve.environments.errors import PackageError
from envolve.environments.models import Submission, Task, Verdict
from envolve.environments.states import state_signature
from envolve.environments.verification import SqlProblem, StateReader, partial_reward, verify

DATA = Path(__file__).parent.parent / "data"
BOOKED = (
    "INSERT INTO bookings (id, confirmation_code, table_id, person_id, starts_at, ends_at, party_size, note) VALUES"
    " (1900, 'TB-X', 558, 204, '2026-03-07 19:30:00', '2026-03-07 21:30:00', 4, 'Window side,  no music')"
)
LEFT = "DELETE FROM waitlist WHERE id = 71"
CLOSED_UP = "UPDATE waitlist SET position = position - 1 WHERE restaurant_id = 43"
DONE = (BOOKED, LEFT, CLOSED_UP)


@pytest.fixture(scope="module")
def environment() -> Environment:
    return Environment.load(DATA / "table-booking")


@pytest.fixture(scope="module")
def terrace(environment: Environment) -> Task:
    return environment.tasks["book-the-terrace-for-four"]


class End:
    """What some SQL makes of a task's seed state."""

    def __init__(self, environment: Environment, task: Task, *statements: str) -> None:
        self.environment, self.task = environment, task
        self.before = environment.image_for(task)
        connection = apsw.Connection(":memory:")
        connection.deserialize("main", self.before)
        session = apsw.Session(connection, "main")
        session.attach()
        for sql in statements:
            connection.execute(sql)
        self.changes = ChangeSet(rows=decode(session.changeset(), environment.tables()))
        self.after = connection.serialize("main")

    def verdict(self, submission: Submission | None = None, **options: Any) -> Verdict:
        return verify(
            self.environment,
            self.task,
            before=self.before,
            after=self.after,
            changes=self.changes,
            submission=submission,
            **options,
        )


Judge = Callable[..., Verdict]


@pytest.fixture(scope="module")
def judge(environment: Environment, terrace: Task) -> Judge:
    def judged(
        *statements: str, submission: Submission | None = None, task: Task = terrace, **options: Any
    ) -> Verdict:
        return End(environment, task, *statements).verdict(submission, **options)

    return judged


def changed(task: Task, **verifier: Any) -> Task:
    """The task with parts of its verifier replaced."""
    plain = task.verifier.model_dump(exclude_unset=True, by_alias=True)
    return Task.model_validate(
        {**task.model_dump(by_alias=True, exclude_unset=True), "verifier": {**plain, **verifier}}
    )


# --- outcomes -----------------------------------------------------------------------------------------------------


def test_what_was_asked_completes(judge: Judge) -> None:
    verdict = judge(*DONE)
    assert (verdict.outcome, verdict.reward, verdict.unallowed) == ("completed", 1.0, ())
    assert verdict.passed
    assert all(check.holds for check in verdict.checks)


def test_doing_nothing_is_incomplete_and_nothing_held_before(judge: Judge) -> None:
    verdict = judge()
    assert (verdict.outcome, verdict.reward) == ("incomplete", 0.0)
    assert {check.before for check in verdict.checks if check.name != "submitted as done"} == {False}


@pytest.mark.parametrize(
    ("statements", "outcome"),
    [
        ([BOOKED], "incomplete"),
        ([LEFT, CLOSED_UP], "incomplete"),
        ([BOOKED, LEFT], "completed"),
        ([*DONE, "INSERT INTO booking_events (booking_id, kind, at) VALUES (1900, 'booked', 'x')"], "completed"),
        ([*DONE, "UPDATE bookings SET confirmation_code = 'TB-Y' WHERE id = 1806"], "completed"),
        ([*DONE, "UPDATE bookings SET cancelled_at = '2026-03-02 09:00:00' WHERE id = 1806"], "completed"),
        ([*DONE, "UPDATE waitlist SET position = position * 7"], "completed"),
        ([*DONE, "UPDATE bookings SET note = 'x' WHERE id = 1806"], "damaged"),
        ([*DONE, "UPDATE waitlist SET position = 3 - position WHERE restaurant_id = 43"], "damaged"),
        ([*DONE, "DELETE FROM waitlist WHERE id = 86"], "damaged"),
        ([*DONE, BOOKED.replace("1900", "1901").replace("TB-X", "TB-Y").replace("558", "562")], "damaged"),
        ([*DONE, "INSERT INTO people VALUES (900, 'Ann', 'a@example.com', 'diner', NULL)"], "damaged"),
        (["UPDATE bookings SET note = 'x' WHERE id = 1806"], "damaged"),
        ([BOOKED.replace("558", "562"), LEFT], "incomplete"),
        ([BOOKED.replace("204", "209"), LEFT], "damaged"),
    ],
)
def test_outcomes(judge: Judge, statements: list[str], outcome: str) -> None:
    verdict = judge(*statements)
    assert verdict.outcome == outcome
    assert verdict.reward == (1.0 if outcome == "completed" else 0.0)


def test_unallowed_changes_are_told(judge: Judge) -> None:
    second = BOOKED.replace("1900", "1901").replace("TB-X", "TB-Y").replace("558", "562")
    verdict = judge(
        *DONE,
        second,
        "UPDATE bookings SET note = NULL, party_size = 3 WHERE id = 1806",
        "UPDATE waitlist SET position = 3 - position WHERE restaurant_id = 43",
        "DELETE FROM waitlist WHERE id = 86",
        "INSERT INTO people VALUES (900, 'Ann', 'a@example.com', 'diner', NULL)",
    )
    assert verdict.unallowed == (
        "bookings 1806: party_size changed from 4 to 3.",
        "bookings 1806: note changed from 'Wedding anniversary, quiet table please' to NULL.",
        "bookings 1901: added, one more than is allowed.",
        "people 900: added.",
        "waitlist 86: deleted.",
        "waitlist 75, 82: position changed their order within restaurant_id 43.",
    )


def test_the_world_failing_says_nothing_about_the_solver(judge: Judge) -> None:
    verdict = judge(*DONE, internal_error="book_table: no such table")
    assert (verdict.outcome, verdict.reward, verdict.passed) == ("environment_error", None, False)
    assert "book_table" in verdict.message


@pytest.mark.parametrize(
    "broken",
    [
        {"require": [{"name": "x", "sql": "SELECT nothing FROM after.bookings"}]},
        {"require": [{"name": "x", "sql": "DELETE FROM after.bookings"}]},
        {"require": [{"name": "x", "sql": "SELECT 1; SELECT 0"}]},
        {"require": [{"name": "x", "sql": "SELECT :unknown"}]},
        {
            "require": [
                {
                    "name": "x",
                    "sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
                }
            ]
        },
        {
            "require": [
                {"name": "x", "sql": "SELECT instr(printf('%.*c', 9000000, 'a'), printf('%.*c', 900000, 'a') || 'b')"}
            ]
        },
        {
            "answer": {
                "kind": "list",
                "sql": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                " SELECT printf('%.*c', 100000, 'a') FROM n",
            }
        },
        {"require": [{"name": "x", "sql": "SELECT char(55296) = 'x' OR fold(char(55296)) = ''"}]},
        {"bind": {"booking": "SELECT id FROM inserted.nothing"}},
        {"answer": {"kind": "number", "sql": "SELECT nothing"}},
        {"allow": [{"table": "bookings", "insert": {"max": 1, "where": "nothing = 1"}}]},
    ],
)
def test_a_broken_verifier_says_nothing_about_the_solver(judge: Judge, terrace: Task, broken: dict[str, Any]) -> None:
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    verdict = judge(*DONE, task=changed(terrace, **broken))
    assert (verdict.outcome, verdict.reward) == ("environment_error", None)
    assert terrace.id in verdict.message
    assert time.perf_counter() - start < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "KiB"


@pytest.mark.parametrize(
    "allow",
    [
        {"key": {"id": [1806]}},
        {"key": {"note": {"a": 1}}},
        {"key": {"id": 2**63}},
        {"key": {"id": float("nan")}},
        {"key": {}},
    ],
)
def test_keys_that_no_column_can_hold_are_refused(terrace: Task, allow: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        changed(terrace, allow=[{"table": "bookings", "columns": ["note"], **allow}])


def test_a_task_that_does_not_fit_the_environment_is_not_opened(environment: Environment, terrace: Task) -> None:
    for allow, says in (({"key": {"nr": 1}}, "no column 'nr'"), ({"table": "booking", "key": {"id": 1}}, "no table")):
        task = changed(terrace, allow=[{"table": "bookings", "columns": ["note"], **allow}])
        with pytest.raises(PackageError, match=says):
            environment.open(task)


@pytest.mark.parametrize(
    ("limit", "code"), [("calls", "limit"), ("unparseable", "unparseable"), ("gave_up", "gave_up")]
)
def test_a_limit_means_that_nothing_was_submitted(judge: Judge, limit: str, code: str) -> None:
    verdict = judge(*DONE, limit=limit)
    assert (verdict.outcome, verdict.reward, verdict.code) == ("protocol", 0.0, code)
    assert not verdict.checks[-1].holds


@pytest.mark.parametrize("status", ["refused", "impossible"])
def test_the_status_counts(judge: Judge, status: Any) -> None:
    assert judge(*DONE, submission=Submission(status=status)).outcome == "incomplete"


def test_a_refusal_names_its_rule(judge: Judge, terrace: Task) -> None:
    task = changed(
        terrace, bind={}, require=[], allow=[], submit={"status": "refused", "reason": 2, "options": [1, 2, 3, 4]}
    )
    assert judge(task=task, submission=Submission(status="refused", reason=2)).passed
    assert not judge(task=task, submission=Submission(status="refused", reason=3)).passed
    assert not judge(task=task, submission=Submission(status="refused")).passed
    assert not judge(task=task).passed


# --- answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "given", "passes"),
    [
        ({"kind": "number", "sql": "SELECT count(*) FROM after.waitlist"}, "3", True),
        ({"kind": "number", "sql": "SELECT count(*) FROM before.waitlist"}, 3, False),
        ({"kind": "number", "sql": "SELECT party_size FROM after.bookings WHERE id = :booking"}, 4, True),
        ({"kind": "number", "sql": "SELECT party_size FROM after.bookings WHERE id = 0"}, 4, False),
        ({"kind": "set", "sql": "SELECT label FROM dining_tables WHERE restaurant_id = 34"}, ["k2", "K1"], True),
        (
            {"kind": "list", "sql": "SELECT label FROM dining_tables WHERE restaurant_id = 34 ORDER BY id"},
            ["K2", "K1"],
            False,
        ),
        (
            {
                "kind": "rows",
                "key": ["label"],
                "columns": {"label": "text", "seats": "number"},
                "sql": "SELECT label, seats, id FROM dining_tables WHERE restaurant_id = 34",
            },
            [{"label": "K2", "seats": 4}, {"label": "K1", "seats": 2}],
            True,
        ),
        (
            {
                "kind": "object",
                "fields": {"name": "text", "rating": "number"},
                "sql": "SELECT name, rating FROM restaurants WHERE id = 34",
            },
            {"name": "the copper kettle", "rating": "4.1"},
            True,
        ),
        ({"kind": "text", "value": "Trattoria Nove"}, None, False),
    ],
)
def test_answers_come_from_the_end_state(
    judge: Judge, terrace: Task, answer: dict[str, Any], given: Any, passes: bool
) -> None:
    assert judge(*DONE, task=changed(terrace, answer=answer), submission=Submission(answer=given)).passed is passes


def test_a_right_answer_does_not_make_up_for_the_state(judge: Judge, terrace: Task) -> None:
    task = changed(terrace, answer={"kind": "number", "value": 4})
    assert judge(task=task, submission=Submission(answer=4)).outcome == "incomplete"


# --- partial reward -----------------------------------------------------------------------------------------------


def test_partial_reward_counts_what_was_brought_about(judge: Judge, terrace: Task) -> None:
    held = [{"name": "Ada is there", "sql": "SELECT count(*) FROM after.people WHERE id = 204"}]
    plain = [check.model_dump() for check in terrace.verifier.require]
    task = changed(terrace, require=held + plain)
    assert partial_reward(judge(task=task)) == 0.0
    assert partial_reward(judge(BOOKED, task=task)) == pytest.approx(5 / 6)
    assert partial_reward(judge(LEFT, task=task)) == pytest.approx(1 / 6)
    assert partial_reward(judge(*DONE, task=task)) == 1.0
    assert partial_reward(judge(*DONE, task=task, submission=Submission(status="refused"))) == pytest.approx(6 / 7)
    assert partial_reward(judge(*DONE, "DELETE FROM waitlist WHERE id = 86", task=task)) == 0.0
    assert partial_reward(judge(*DONE, task=task, limit="calls")) == 0.0
    assert partial_reward(judge(*DONE, task=task, internal_error="x")) is None


# --- allow --------------------------------------------------------------------------------------------------------


def allowing(task: Task, *allow: dict[str, Any], **free: list[str]) -> Task:
    return changed(task, bind={}, require=[], allow=list(allow), free=free)


@pytest.mark.parametrize(
    ("allow", "free", "statements", "fine"),
    [
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE id = 1806"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE id = 1811"],
            False,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET party_size = 3 WHERE id = 1806"],
            False,
        ),
        (
            [{"table": "bookings", "key": {"person_id": 227}, "columns": ["note"]}],
            {},
            ["UPDATE bookings SET note = 'x' WHERE person_id = 227"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {"bookings": ["party_size"]},
            ["UPDATE bookings SET party_size = 3, note = 'x' WHERE id = 1806"],
            True,
        ),
        (
            [{"table": "bookings", "key": {"id": 1806}, "columns": ["note"]}],
            {"bookings": ["party_size"]},
            ["UPDATE bookings SET party_size = 1 WHERE id = 1811"],
            False,
        ),
        # One of the two entries admits both new rows: the rows must be dealt out so that each finds a place.
        (
            [
                {"table": "people", "insert": {"max": 1}},
                {"table": "people", "insert": {"max": 1, "where": "name = 'Ann'"}},
            ],
            {},
            ["INSERT INTO people VALUES (900, 'Ann', 'a', 'diner', NULL), (901, 'Bob', 'b', 'diner', NULL)"],
            True,
        ),
        (
            [
                {"table": "people", "insert": {"max": 1}},
                {"table": "people", "insert": {"max": 1, "where": "name = 'Ann' -- nobody else"}},
            ],
            {},
            ["INSERT INTO people VALUES (900, 'Bo', 'a', 'diner', NULL), (901, 'Bob', 'b', 'diner', NULL)"],
            False,
        ),
        (
            [{"table": "bookings", "delete": {"max": 2, "where": "status = 'cancelled'"}}],
            {},
            ["DELETE FROM bookings WHERE id = 1819"],
            False,
        ),
        # An entry for the moved row lets it take any place; the others keep their order around it.
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["position"]}],
            {},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            True,
        ),
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["party_size"]}],
            {"waitlist": ["position"]},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            True,
        ),
        (
            [{"table": "waitlist", "key": {"id": 82}, "columns": ["party_size"]}],
            {},
            ["UPDATE waitlist SET position = CASE id WHEN 82 THEN 1 ELSE position + 1 END WHERE restaurant_id = 43"],
            False,
        ),
        (
            [{"table": "waitlist", "insert": {"max": 1}}],
            {},
            [
                "UPDATE waitlist SET position = position + 1 WHERE restaurant_id = 43",
                "INSERT INTO waitlist VALUES (90, 43, 222, 2, '2026-03-13', 1, 'x')",
            ],
            True,
        ),
    ],
)
def test_allow(
    judge: Judge,
    terrace: Task,
    allow: list[dict[str, Any]],
    free: dict[str, list[str]],
    statements: list[str],
    fine: bool,
) -> None:
    assert judge(*statements, task=allowing(terrace, *allow, **free)).outcome == ("completed" if fine else "damaged")


WRITES = st.lists(
    st.sampled_from(
        [
            BOOKED,
            LEFT,
            "UPDATE waitlist SET position = position * 3 + 1 WHERE restaurant_id = 43",
            "UPDATE waitlist SET position = 1000 - position WHERE restaurant_id = 43",
            "UPDATE bookings SET confirmation_code = confirmation_code || 'x'",
            "UPDATE bookings SET note = 'x' WHERE id = 1806",
            "UPDATE bookings SET note = 'Wedding anniversary, quiet table please' WHERE id = 1806",
            "DELETE FROM booking_events WHERE booking_id = 1806",
            "DELETE FROM waitlist WHERE restaurant_id = 31",
            "UPDATE bookings SET id = id + 100, confirmation_code = 'n' WHERE id = 1900",
        ]
    ),
    max_size=5,
    unique=True,
)


@settings(derandomize=True, database=None, deadline=None, max_examples=150)
@given(one=WRITES, other=WRITES)
def test_equal_states_get_equal_verdicts(
    environment: Environment, terrace: Task, one: list[str], other: list[str]
) -> None:
    task = allowing(terrace, {"table": "bookings", "insert": {"max": 1}}, {"table": "waitlist", "delete": {"max": 1}})
    first, second = End(environment, task, *one), End(environment, task, *other)
    signatures = [state_signature(environment, end.changes, end.after) for end in (first, second)]
    if signatures[0] == signatures[1]:
        assert first.verdict().outcome == second.verdict().outcome
    if signatures[0] == state_signature(environment, ChangeSet(), first.before):
        assert first.verdict().outcome == "completed"


# --- the reader ---------------------------------------------------------------------------------------------------


@pytest.fixture
def reader(environment: Environment, terrace: Task) -> Iterator[StateReader]:
    with StateReader(environment, environment.image_for(terrace), actor=terrace.actor) as opened:
        yield opened


def test_a_reader_shows_one_end_state_after_the_other(
    reader: StateReader, environment: Environment, terrace: Task
) -> None:
    new, gone = "SELECT id FROM inserted.bookings", "SELECT id FROM deleted.waitlist"
    assert reader.query("SELECT count(*) FROM after.bookings EXCEPT SELECT count(*) FROM before.bookings") == []
    assert reader.query(new) == reader.query(gone) == []
    for statements, added, deleted in [(DONE, [(1900,)], [(71,)]), ([LEFT], [], [(71,)]), ([BOOKED], [(1900,)], [])]:
        end = End(environment, terrace, *statements)
        reader.show(end.after, end.changes)
        assert (reader.query(new), reader.query(gone)) == (added, deleted)
        assert reader.query("SELECT count(*) FROM after.bookings") == [(13 + len(added),)]
        assert reader.query("SELECT count(*) FROM before.bookings") == [(13,)]
    reader.show_seed()
    assert reader.query(new) == reader.query(gone) == []


def test_an_open_world_can_be_shown(reader: StateReader, environment: Environment, terrace: Task) -> None:
    end = End(environment, terrace, *DONE)
    connection = apsw.Connection(":memory:")
    connection.deserialize("main", end.after)
    reader.show(connection, end.changes)
    assert reader.value("SELECT note FROM after.bookings WHERE id = 1900") == "Window side,  no music"


def test_names_without_schema_mean_the_seed_state(
    reader: StateReader, environment: Environment, terrace: Task
) -> None:
    end = End(environment, terrace, "UPDATE restaurants SET name = 'Changed' WHERE id = 31")
    reader.show(end.after, end.changes)
    assert reader.value("SELECT name FROM restaurants WHERE id = 31") == "Osteria Lume"
    assert reader.value("SELECT name FROM after.restaurants WHERE id = 31") == "Changed"


def test_the_worlds_time_actor_and_functions_are_there(reader: StateReader) -> None:
    assert reader.query("SELECT :now, :today, :actor_id, datetime('now')") == [
        ("2026-03-02 09:00:00", "2026-03-02", 204, "2026-03-02 09:00:00")
    ]
    assert reader.holds("SELECT fold('É') = 'e' AND same_text('José', 'JOSE') AND has_word('Ada Lindqvist', 'ada')")
    assert reader.value("SELECT minutes_between(:now, '2026-03-02 10:30:00')") == 90
    assert reader.value("SELECT count(*) FROM bookings WHERE status = 'confirmed' AND starts_at > :now") == 9
    assert reader.value("SELECT :x + 1", {"x": 2}) == 3
    assert reader.records("SELECT id, label FROM dining_tables WHERE id = 517") == [{"id": 517, "label": "L1"}]
    assert reader.records("SELECT id, label FROM dining_tables WHERE id = 0") == []


@pytest.mark.parametrize("sql", ["SELECT 0", "SELECT NULL", "SELECT 'yes'", "SELECT 1 WHERE 0", "SELECT 0.0"])
def test_what_is_not_true(reader: StateReader, sql: str) -> None:
    assert not reader.holds(sql)


def test_common_table_expressions_run(reader: StateReader) -> None:
    assert (
        reader.value("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9) SELECT count(*) FROM n")
        == 9
    )


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM after.bookings",
        "DELETE FROM inserted.bookings",
        'INSERT INTO inserted."bookings" ("id") VALUES (?)',
        "UPDATE before.bookings SET note = 'x'",
        "CREATE TEMP TABLE t (x)",
        "DROP TABLE before.bookings",
        "ATTACH ':memory:' AS other",
        "DETACH after",
        "PRAGMA page_size",
        "SELECT * FROM pragma_table_info('bookings')",
        "SELECT * FROM sqlite_schema",
        "SELECT count(*) FROM dbstat",
        "SELECT * FROM after.sqlite_schema",
        "SELECT random()",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM after.bookings",
        "SELECT * FROM nowhere",
        "SELECT * FROM inserted.nowhere",
        "SELECT :unknown",
        "SELECT",
        "SELECT '\0'",
        "SELECT zeroblob(100000000)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
    ],
)
def test_what_reading_must_not_do_is_a_problem_with_a_message(
    reader: StateReader, environment: Environment, terrace: Task, sql: str
) -> None:
    end = End(environment, terrace, *DONE)
    reader.show(end.after, end.changes)
    with pytest.raises(SqlProblem):
        reader.query(sql)
    assert reader.value("SELECT count(*) FROM after.bookings") == 14
    assert reader.value("SELECT count(*) FROM inserted.bookings") == 1


def test_one_reader_gives_the_verdicts_of_many(environment: Environment, terrace: Task, reader: StateReader) -> None:
    ends = [End(environment, terrace, *statements) for statements in ([], [BOOKED], DONE, [LEFT], DONE)]
    assert [end.verdict(reader=reader) for end in ends] == [end.verdict() for end in ends]


def test_checks_of_the_same_name_all_count(judge: Judge, terrace: Task) -> None:
    never = {"name": "twice", "sql": "SELECT 0"}
    always = {"name": "twice", "sql": "SELECT 1"}
    for require in ([never, always], [always, never]):
        verdict = judge(*DONE, task=changed(terrace, require=[*require]))
        assert verdict.outcome == "incomplete"
        assert [check.holds for check in verdict.checks if check.name == "twice"] == [c is always for c in require]
