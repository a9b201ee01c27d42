"""Date functions never use the machine's time zone, however a modifier is written."""

import time

import pytest

from envolve.environments.date_modifiers import zone_modifier
from envolve.environments.errors import PackageError

from .conftest import MakeEnvironment

REFUSED = [
    "datetime('now', 'localtime')",
    "datetime('now','LocalTime')",
    "DATETIME('now', '+1 day', 'utc')",
    "datetime(coalesce(:at, 'now'), 'localtime')",
    "date(max('2026-01-01', :at), 'utc')",
    "strftime('%H (%M)', 'now', 'localtime')",
    "julianday('now', /* where am I? */ 'localtime')",
    "unixepoch /* now */ ('now', 'localtime')",
    "\"datetime\"('now', 'localtime')",
    "[time]('now', 'utc')",
    "datetime('now', ('localtime'))",
    "datetime('now', 'local' || 'time')",
    "datetime('now', 'u' || 't' || 'c')",
    "datetime('now', 'local' || :rest)",
    "datetime('now', :modifier)",
    "datetime('now', modifier)",
    "datetime('now', (SELECT modifier FROM plans))",
    "datetime('now', char(117, 116, 99))",
    "datetime('now', printf('%s', :modifier))",
    "datetime('now', printf('%stime', 'local'))",
    "datetime('now', printf('%ls', :modifier))",
    "datetime('now', replace('l0caltime', '0', 'o'))",
    "datetime('now', coalesce(:modifier, '+1 day'))",
    "datetime('now', iif(:far, :modifier, '+1 day'))",
    "datetime('now', CASE WHEN :far THEN '+1 day' ELSE :modifier END)",
    "datetime('now', CASE WHEN :far THEN '+1 day' ELSE CASE WHEN 1 THEN 'utc' END END)",
    "date(datetime('now', 'localtime'), '+1 day')",
    "datetime('now', '+1 day', 'weekday 0', 'localtime')",
    "datetime('now', 'localtime'",
    "datetime('now', " + "(" * 200 + "'localtime'" + ")" * 200 + ")",
]
FINE = [
    "datetime('now')",
    "datetime(:at, '+2 hours')",
    "date(:today, '+' || :days || ' days')",
    "date(:today, :days || ' days', 'start of month', 'weekday 0')",
    "datetime(a.opened_on, '+' || (CASE WHEN a.late THEN :nth * 2 ELSE 9 END) || ' hours', '-1 second')",
    "datetime(1_000, 'unixepoch')",
    "datetime(:seconds, 'auto', 'subsec')",
    "datetime(:at, printf('%+d minutes', :minutes))",
    "datetime(:at, format('+%d days', n.value))",
    "datetime(:at, CASE WHEN :far THEN '+1 month' ELSE '+1 day' END)",
    "datetime(:at, iif(kind = 'utc', '+1 month', '+1 day'))",
    "datetime(:at, CASE kind WHEN 'localtime' THEN '+' || n || ' days' ELSE ('+1 day') END)",
    "strftime('%Y-%m', :at)",
    "strftime('localtime', 'now')",
    "timediff(:at, 'utc')",
    "note = 'datetime(''now'', ''localtime'')'",
    "-- datetime('now', 'localtime')\n 1",
    "updatetime('localtime', 'utc')",
    "x.date = 'utc'",
    "date(min(a, b), '+1 day'), 'localtime'",
    "julianday(:a) - julianday(:b)",
    "datetime(:at, 3)",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_what_may_depend_on_the_machine_is_refused(sql: str) -> None:
    assert zone_modifier(f"SELECT {sql} FROM plans") is not None


@pytest.mark.parametrize("sql", FINE)
def test_what_cannot_is_not(sql: str) -> None:
    assert zone_modifier(f"SELECT {sql} FROM plans") is None


def test_the_error_says_what_to_write(make_environment: MakeEnvironment) -> None:
    tool = (
        "- name: act\n  description: Act\n  kind: read\n  params: {by: {type: string}}\n  required: [by]\n"
        '  returns: {value: "SELECT datetime(:now, :by)"}\n'
    )
    with pytest.raises(PackageError, match=r"modifier :by of datetime\(\).*Write modifiers out") as caught:
        make_environment(tools=tool)
    assert caught.value.field == "tools.act.returns.value"


@pytest.mark.parametrize(
    "sql",
    [
        "date(" * 300_000,
        "date(a, " * 100_000 + ")" * 100_000,
        "date('2026-01-01', '+1 day'), " * 60_000,
        "date" * 500_000,
        "'date" * 200_000,
    ],
)
def test_long_scripts_take_no_time(sql: str) -> None:
    start = time.process_time()
    zone_modifier(sql)
    assert time.process_time() - start < 5
