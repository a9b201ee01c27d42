"""Probes: each expectation, met and not met; what cannot be run confirms nothing."""

from __future__ import annotations

from typing import Any

import pytest

from envolve.agents.tester import confirm, run_gates, run_probe
from envolve.environments.models import Actor, Expectation, Finding, Probe, ProbeCall
from envolve.environments.package import Environment

_ADA, _NADIA = Actor(roles=("diner",), id=204), Actor(roles=("host",), id=305)
_LIST = ProbeCall(call="list_my_bookings", actor=_ADA)
_CANCEL = ProbeCall(call="cancel_booking", args={"booking_id": 1806}, actor=_NADIA)


def _probe(*calls: ProbeCall, **expected: Any) -> Probe:
    return Probe(calls=calls, expect=(Expectation(**expected),))


@pytest.mark.parametrize(
    ("met", "not_met"),
    [
        (_probe(_LIST, succeeds=True), _probe(_LIST, succeeds=False)),
        (_probe(_CANCEL, _CANCEL, fails=("conflict",)), _probe(_CANCEL, fails=("conflict", "forbidden"))),
        (_probe(_LIST, unchanged=True), _probe(_CANCEL, unchanged=True)),
        (_probe(_CANCEL, unchanged=False), _probe(_CANCEL, _CANCEL, unchanged=False)),
        (
            _probe(_CANCEL, sql="SELECT status = 'cancelled' FROM after.bookings WHERE id = 1806"),
            _probe(_CANCEL, sql="SELECT status = 'cancelled' FROM before.bookings WHERE id = 1806"),
        ),
        (_probe(_CANCEL, invariants=True), _probe(_CANCEL, invariants=False)),
        (
            _probe(_LIST, result="SELECT count(*) > 0 AND max(rowid) = count(*) - 1 FROM result"),
            _probe(_LIST, result="SELECT count(*) = 0 FROM result"),
        ),
        (
            _probe(_LIST, result="SELECT NOT EXISTS (SELECT id FROM result EXCEPT SELECT id FROM before.bookings)"),
            _probe(
                _LIST, result="SELECT NOT EXISTS (SELECT id FROM result INTERSECT SELECT id FROM before.bookings)"
            ),
        ),
        (_probe(_LIST, foreseen=True), _probe(_LIST, foreseen=False)),
        (_probe(_LIST, fits=True), _probe(_LIST, fits=False)),
        (_probe(gate="compile"), None),
        (_probe(gate="rules.mixed_ids"), None),
    ],
)
def test_expectations(met: Probe, not_met: Probe | None, table_booking: Environment) -> None:
    assert not run_probe(table_booking, met)
    assert run_probe(table_booking, met).valid
    if not_met is not None:
        assert run_probe(table_booking, not_met)


def test_result_of_one_row_and_of_a_value(table_booking: Environment) -> None:
    one = ProbeCall(call="get_booking", args={"booking_id": 1806}, actor=_NADIA)
    assert not run_probe(table_booking, _probe(one, result="SELECT status = 'confirmed' FROM result"))
    count = ProbeCall(call="count_expected_guests", args={"restaurant_id": 31, "on_date": "2026-03-06"}, actor=_NADIA)
    assert not run_probe(table_booking, _probe(count, result="SELECT value = 24 FROM result"))


def test_task_gives_setup_and_actor(table_booking: Environment) -> None:
    probe = Probe(
        task="move-the-anniversary-dinner",
        calls=(ProbeCall(call="get_my_profile"),),
        expect=(Expectation(result="SELECT id = 305 FROM result"),),
    )
    assert not run_probe(table_booking, probe)


@pytest.mark.parametrize(
    "probe",
    [
        Probe(expect=(Expectation(sql="SELECT 0"),)),
        _probe(_LIST, sql="SELECT nothing FROM after.bookings"),
        _probe(_LIST, sql="DELETE FROM after.bookings"),
        _probe(_LIST, result="SELECT no_such_field FROM result"),
        _probe(gate="no_such_gate"),
        _probe(succeeds=True),
        Probe(calls=(_LIST,), expect=(Expectation(),)),
        Probe(task="no-such-task", calls=(_LIST,), expect=(Expectation(succeeds=True),)),
    ],
)
def test_probes_that_cannot_be_run_confirm_nothing(probe: Probe, table_booking: Environment) -> None:
    result = run_probe(table_booking, probe)
    assert not result.reproduced
    assert not result.valid
    assert result.why
    claim = Finding(kind="x", severity="major", where="tools", message="x", source="critic:x", probe=probe)
    assert confirm(table_booking, [claim])[0].confirmed is None


def _called(call: str, args: dict[str, Any], *expected: Expectation) -> Probe:
    return Probe(calls=(ProbeCall(call=call, args=args, actor=_NADIA),), expect=expected)


_ONE = {"booking_id": 1806}


@pytest.mark.parametrize(
    "probe",
    [
        _called("cancel_booking", _ONE, Expectation(succeeds=False), Expectation(succeeds=True)),
        _called("cancel_booking", _ONE, Expectation(fails=("conflict",)), Expectation(succeeds=True)),
        _called("cancel_booking", _ONE, Expectation(fails=("conflict",)), Expectation(fails=("not_found",))),
        _called("cancel_booking", _ONE, Expectation(fails=())),
        _called("cancel_booking", _ONE, Expectation(fails=("internal",))),
        _called("cancel_booking", _ONE, Expectation(fails=("conflict",)), Expectation(unchanged=False)),
        _called("cancel_booking", _ONE, Expectation(unchanged=True), Expectation(unchanged=False)),
        _called("cancel_booking", _ONE, Expectation(invariants=True), Expectation(invariants=False)),
        _called("get_booking", _ONE, Expectation(succeeds=False), Expectation(result="SELECT count(*) FROM result")),
        _called("get_booking", _ONE, Expectation(unchanged=False)),
        _called("get_booking", _ONE | {"colour": "red"}, Expectation(succeeds=True)),
        _called("get_booking", _ONE | {"colour": "red"}, Expectation(fails=("conflict",))),
        _called("get_booking", {}, Expectation(succeeds=True)),
        _called("get_booking", {"booking_id": "1806"}, Expectation(succeeds=True)),
        _called("no_such_tool", {}, Expectation(succeeds=True)),
        _called("cancel_booking", _ONE, Expectation(sql="SELECT 0")),
        _called("cancel_booking", _ONE, Expectation(sql="SELECT (0) AS x FROM after.bookings")),
        Probe(expect=(Expectation(sql="SELECT NULL FROM after.bookings"),)),
    ],
)
def test_probes_that_no_world_could_meet_confirm_nothing(probe: Probe, table_booking: Environment) -> None:
    result = run_probe(table_booking, probe)
    assert (result.reproduced, result.valid) == (False, False)
    assert result.why
    claim = Finding(kind="x", severity="major", where="tools", message="x", source="critic:x", probe=probe)
    assert confirm(table_booking, [claim])[0].confirmed is None


@pytest.mark.parametrize(
    "probe",
    [
        _called(
            "cancel_booking", _ONE, Expectation(fails=("conflict",)), Expectation(fails=("conflict", "not_found"))
        ),
        _called("cancel_booking", _ONE, Expectation(succeeds=False), Expectation(unchanged=True)),
        _called("get_booking", _ONE, Expectation(sql="SELECT id = 0 FROM after.bookings LIMIT 1")),
        _called("find_people", {"name": "x" * 500}, Expectation(succeeds=True)),
    ],
)
def test_probes_that_another_world_could_meet_confirm(probe: Probe, table_booking: Environment) -> None:
    assert run_probe(table_booking, probe)


def test_confirm_sets_what_the_probe_shows(table_booking: Environment) -> None:
    def claim(probe: Probe | None) -> Finding:
        return Finding(kind="x", severity="major", where="tools", message="x", source="critic:x", probe=probe)

    claims = [claim(_probe(_CANCEL, unchanged=True)), claim(_probe(_LIST, succeeds=True)), claim(None)]
    assert [finding.confirmed for finding in confirm(table_booking, claims)] == [True, False, None]


def test_unknown_tools_and_wrong_arguments_answer_as_in_an_episode(table_booking: Environment) -> None:
    assert not run_probe(table_booking, _probe(ProbeCall(call="no_such_tool"), fails=("not_found",)))
    assert not run_probe(table_booking, _probe(ProbeCall(call="find_people", actor=_ADA), fails=("forbidden",)))
    wrong = ProbeCall(call="get_booking", args={"booking_id": "1806"}, actor=_ADA)
    assert not run_probe(table_booking, _probe(wrong, fails=("invalid_argument",)))


def test_every_confirmed_finding_has_a_probe_that_reproduces_it(seating: Environment) -> None:
    for finding in run_gates(seating, seed=7).findings:
        assert not finding.confirmed or run_probe(seating, finding).reproduced
