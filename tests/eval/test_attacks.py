"""Attacks and other paths: what gets a pass without the work is noticed, and shown as calls."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from envolve.environments import Environment
from envolve.environments.models import GateResult, SubmitStep, Task
from envolve.environments.models.audits import GateName
from envolve.environments.models.tasks import CallStep, Submission
from envolve.eval.audit import Attacker, Attempt, audit
from envolve.eval.audit.attacks import BUILT_IN
from envolve.eval.audit.gates.attack import too_lucky

BOOK, COUNT, MOVE = "book-the-terrace-for-four", "count-fridays-guests", "move-the-anniversary-dinner"
Raw = dict[str, Any]
Spoiled = Callable[[str, Callable[[Raw], None]], Task]


def attacked(environment: Environment, task: Task, **options: Any) -> GateResult:
    return audit(environment, task, gates=("gold", "attack"), **options).gate("attack")


@pytest.mark.parametrize("name", [BOOK, COUNT, MOVE])
def test_sound_verifiers_withstand(environment: Environment, name: str) -> None:
    report = audit(environment, environment.tasks[name], gates=("gold", "attack"))
    assert report.gate("attack").status == "passed"
    assert report.attacks.passed == report.attacks.lucky == 0
    assert report.attacks.total >= 5
    assert 0 < report.attacks.calls <= 60 * len(BUILT_IN)


def test_without_a_budget_it_says_that_it_did_not_run(environment: Environment) -> None:
    gate = attacked(environment, environment.tasks[MOVE], attack_calls=0)
    assert (gate.status, "budget" in gate.message) == ("not_run", True)


class Endless:
    """Attempts without a call, that claim to have cost less than nothing."""

    name = "endless"

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        while True:
            yield Attempt("nothing", (), spent=-1)


def test_every_attempt_costs_a_call(environment: Environment) -> None:
    report = audit(
        environment, environment.tasks[MOVE], gates=("gold", "attack"), attackers=[Endless()], attack_calls=5
    )
    assert (report.attacks.total, report.attacks.calls) == (5, 5)


def lax(raw: Raw) -> None:
    """Any table will do."""
    raw["verifier"]["require"] = [check for check in raw["verifier"]["require"] if "table" not in check["name"]]


def nothing_asked(raw: Raw) -> None:
    raw["verifier"]["require"] = []


@pytest.mark.parametrize(("spoil", "calls"), [(lax, 240), (nothing_asked, 60)])
def test_a_verifier_that_lost_a_requirement_is_noticed(
    environment: Environment, spoiled: Spoiled, spoil: Callable[[Raw], None], calls: int
) -> None:
    gate = attacked(environment, spoiled(MOVE, spoil), attack_calls=calls)
    assert gate.status == "failed"
    assert all({"attack", "calls", "submit"} <= set(shown) for shown in gate.evidence)
    assert len(gate.evidence[0]["calls"]) <= 1


def test_another_end_that_passes_is_found_and_disputed(environment: Environment, spoiled: Spoiled) -> None:
    """Any table will do, so that a larger one is another end that passes."""
    report = audit(environment, spoiled(MOVE, lax), gates=("gold", "alternatives"), search_calls=150)
    gate = report.gate("alternatives")
    assert (report.grade, gate.status) == ("disputed", "failed")
    assert gate.evidence[0]["calls"][0]["call"] == "move_booking"


def test_a_rejected_path_to_the_same_end_makes_a_verifier_strict(environment: Environment, spoiled: Spoiled) -> None:
    """The log is not compared, so a verifier that counts its entries rejects who moves in two steps."""

    def counts_log(raw: Raw) -> None:
        raw["verifier"]["require"].append(
            {"name": "one entry", "sql": "SELECT count(*) = 1 FROM inserted.booking_events"}
        )

    report = audit(environment, spoiled(MOVE, counts_log), gates=("gold", "alternatives"), search_calls=200)
    assert report.grade == "strict"
    assert report.alternatives.passed < report.alternatives.total


class Burglar:
    """Hands in what it is given to hand in, after nothing."""

    name = "burglar"

    def __init__(self, *attempts: Attempt) -> None:
        self._attempts = attempts

    def attempts(self, environment: Environment, task: Task, *, budget: int, seed: int) -> Iterator[Attempt]:
        yield from self._attempts


def attempt(kind: str, *steps: CallStep) -> Attempt:
    return Attempt(kind, (*steps, SubmitStep(submit=Submission())))


def booked_with_note(note: str) -> Attempt:
    table = {"table_id": 558, "starts_at": "2026-03-07 19:30:00", "party_size": 4}
    return attempt(
        "booked",
        CallStep(call="book_table", args={**table, "note": note}),
        CallStep(call="leave_waitlist", args={"restaurant_id": 43}),
    )


def attacked_by(environment: Environment, task: Task, made: Attempt) -> tuple[str, int]:
    """The grade by the attack gate, and by how many attacks it succeeded."""
    report = audit(environment, task, gates=("gold", "attack"), attackers=(Burglar(made),))
    assert report.attacks.total == 1
    return report.grade, report.attacks.passed


def test_another_spelling_that_the_verifier_takes_is_golds_end(environment: Environment) -> None:
    loud = booked_with_note("WINDOW  side, no Music")
    assert attacked_by(environment, environment.tasks[BOOK], loud) == ("sound", 0)
    report = audit(environment, environment.tasks[BOOK], alternatives=(loud.program,), search_calls=0)
    alone = audit(environment, environment.tasks[BOOK], search_calls=0)
    assert (report.grade, report.alternatives.total) == ("sound", alone.alternatives.total + 1)


def takes_words(raw: Raw) -> None:
    (check,) = (check for check in raw["verifier"]["require"] if check["name"] == "with the note")
    check["sql"] = "SELECT has_word(note, 'window side') FROM after.bookings WHERE id = :booking"
    raw["goal"]["sql"] = raw["goal"]["sql"].replace(
        "same_text(b.note, 'window side, no music')", "has_word(b.note, 'window side')"
    )


@pytest.mark.parametrize("note", ["window side, loud music", "window side, no music!"])
def test_other_words_are_another_end_for_a_reader_to_decide_about(
    environment: Environment, spoiled: Spoiled, note: str
) -> None:
    other, task = booked_with_note(note), spoiled(BOOK, takes_words)
    assert attacked_by(environment, task, other) == ("disputed", 0)
    gates: tuple[GateName, ...] = ("gold", "alternatives")
    report = audit(environment, task, gates=gates, alternatives=(other.program,), search_calls=0)
    assert (report.grade, len(report.gate("alternatives").evidence)) == ("disputed", 1)


def lax_by_the_goal_too(raw: Raw) -> None:
    lax(raw)
    raw["goal"]["sql"] = "SELECT party_size = 6 FROM after.bookings WHERE id = 1806"


@pytest.mark.parametrize(("spoil", "found"), [(lax_by_the_goal_too, ("disputed", 0)), (lax, ("weak", 1))])
def test_a_pass_in_another_end_is_an_attack_where_the_goal_does_not_hold(
    environment: Environment, spoiled: Spoiled, spoil: Callable[[Raw], None], found: tuple[str, int]
) -> None:
    move = CallStep(call="move_booking", args={"booking_id": 1806, "table_id": 538, "party_size": 6})
    assert attacked_by(environment, spoiled(MOVE, spoil), attempt("moved", move)) == found


def test_an_attacker_of_ones_own_is_judged_and_held_to_the_budget(environment: Environment) -> None:
    task = environment.tasks[COUNT]
    right = SubmitStep(submit=Submission(answer={"guests": 24, "largest_party": "Ben Okafor"}))
    look = CallStep(call="get_my_profile")
    attempts = [Attempt("told", (look, right), lucky=True) for _ in range(9)]
    burglar: Attacker = Burglar(*attempts)
    report = audit(environment, task, gates=("gold", "attack"), attackers=(burglar,), attack_calls=11)
    assert (report.attacks.calls, report.attacks.total, report.attacks.lucky) == (10, 5, 5)
    assert report.grade == "weak"
    aimed = [attempt._replace(lucky=False) for attempt in attempts]
    assert attacked(environment, task, attackers=(Burglar(*aimed),)).status == "passed"


def test_an_attempt_whose_call_fails_is_no_success(environment: Environment, spoiled: Spoiled) -> None:
    step = CallStep(call="cancel_booking", args={"booking_id": 1})
    burglar = Burglar(Attempt("fails", (step, SubmitStep(submit=Submission()))))
    report = audit(environment, spoiled(MOVE, nothing_asked), gates=("gold", "attack"), attackers=(burglar,))
    assert (report.attacks.passed, report.attacks.total) == (0, 1)


@pytest.mark.parametrize(
    ("passes", "n", "credible"), [(0, 0, False), (1, 1, False), (2, 10, False), (2, 3, True), (5, 20, True)]
)
def test_luck_has_to_be_credible(passes: int, n: int, credible: bool) -> None:
    assert too_lucky(passes, n) is credible
