"""Tasks whose gold shows that a tool is at fault."""

from __future__ import annotations

from envolve.agents.tester import GATES, run_gates, task_findings
from envolve.environments.gold import run_gold
from envolve.environments.models import AuditReport, GateResult, Goal, Task
from envolve.environments.models.tasks import Actor, CallStep, Submission, SubmitStep
from envolve.environments.package import Environment

from .conftest import World

_STOCK = "CREATE TABLE stock (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL) STRICT;"
_TAKE = """
- name: take
  description: Take some.
  kind: write
  params: {stock_id: {type: integer, ref: stock.id}}
  required: [stock_id]
  steps: [{do: "UPDATE stock SET amount = amount - 1 WHERE id = :stock_id AND amount > 0", rows: 1}]
  contract: {stock: {update: [amount]}}
"""


def _task(stock_id: int) -> Task:
    return Task(
        id="take-one",
        instruction="Take one.",
        actor=Actor(roles=("user",), id=31),
        goal=Goal(text="One less."),
        gold=(CallStep(call="take", args={"stock_id": stock_id}), SubmitStep(submit=Submission())),
    )


def _gate(environment: Environment) -> list[tuple[str, str]]:
    gates = [gate for gate in GATES if gate.name == "tasks"]
    return [(finding.kind, finding.where) for finding in run_gates(environment, gates=gates).findings]


def test_gold_that_runs_says_nothing(world: World, table_booking: Environment) -> None:
    environment = world(_TAKE, _STOCK, "INSERT INTO stock VALUES (7, 3), (9, 0);")
    assert _gate(environment.with_tasks([_task(7)])) == []
    assert _gate(table_booking) == []


def test_gold_that_ends_in_an_internal_error_names_the_tool(world: World) -> None:
    environment = world(_TAKE, _STOCK, "INSERT INTO stock VALUES (7, 3), (9, 0);").with_tasks([_task(9)])
    assert _gate(environment) == [("tool_fails_in_gold", "tools.take"), ("gold_fails", "tasks.take-one.gold.0")]


def test_gold_that_is_refused_is_the_tasks_fault(world: World) -> None:
    environment = world(_TAKE, _STOCK, "INSERT INTO stock VALUES (7, 3), (9, 0);").with_tasks([_task(8)])
    assert _gate(environment) == [("gold_fails", "tasks.take-one.gold.0")]


def test_audits_that_no_verifier_could_pass(world: World) -> None:
    environment = world(_TAKE, _STOCK, "INSERT INTO stock VALUES (7, 3);")
    task = _task(7)
    run = run_gold(environment, task)
    failed = GateResult(gate="gold", status="failed", message="Two runs differ.", evidence=({"call": "take"},))
    weak = GateResult(gate="null", status="failed", message="Doing nothing passes.")
    report = AuditReport(environment="small", task=task.id, version="v", grade="broken", gates=(failed, weak))
    (finding,) = task_findings(environment, task, run, report)
    assert (finding.kind, finding.evidence["tools"], finding.confirmed) == ("audit_gold", ["take"], None)
    assert task_findings(environment, task, run) == []
