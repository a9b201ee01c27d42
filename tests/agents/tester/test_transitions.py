"""Statuses that are final for most tools are final for all."""

from __future__ import annotations

import pytest

from envolve.agents.tester import run_gates, run_probe
from envolve.environments.models import Finding

from .conftest import SMALL, World

_SCHEMA = """
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, status TEXT NOT NULL CHECK (status IN ('new', 'sent', 'void')), note TEXT
) STRICT;
"""
_SEED = "INSERT INTO orders VALUES (611, 'new', NULL), (617, 'sent', NULL), (623, 'new', NULL), (629, 'void', NULL);"
_TOOL = """
- name: {name}
  description: Change an order.
  kind: write
  params: {{order_id: {{type: integer, ref: orders.id}}}}
  required: [order_id]
  steps:
    {guard}
    - do: UPDATE orders SET status = '{to}' WHERE id = :order_id
      rows: 1
  contract: {{orders: {{update: [status]}}}}
"""
_GUARD = """- require: SELECT status {test} FROM orders WHERE id = :order_id
      error: {{code: conflict, message: It cannot be.}}"""


def _tool(name: str, to: str, test: str = "") -> str:
    return _TOOL.format(name=name, to=to, guard=_GUARD.format(test=test) if test else "")


_SEND, _VOID = _tool("send", "sent", "= 'new'"), _tool("withdraw", "void", "IN ('new', 'sent')")


def _illegal(world: World, *tools: str) -> list[Finding]:
    report = run_gates(world("".join(tools), _SCHEMA, _SEED), effort=SMALL, seed=1)
    return [finding for finding in report.findings if finding.kind == "illegal_transition"]


def test_a_tool_that_leads_away_from_what_is_final_is_shown(world: World) -> None:
    (finding,) = _illegal(world, _SEND, _VOID, _tool("return_it", "new"))
    assert (finding.where, finding.source) == ("tools.return_it.transitions.orders.status", "gate:invariants")
    assert finding.probe is not None
    assert len(finding.probe.calls) == 1
    assert run_probe(world(_SEND + _VOID + _tool("return_it", "new"), _SCHEMA, _SEED), finding).reproduced
    guarded = world(_SEND + _VOID + _tool("return_it", "new", "= 'sent'"), _SCHEMA, _SEED)
    assert not run_probe(guarded, finding).reproduced


@pytest.mark.parametrize(
    "other",
    [
        _tool("return_it", "new", "<> 'void'"),
        _tool("return_it", "new", "= 'void'"),
        _tool("reopen_order", "new"),
        _tool("send_again", "sent").replace("= 'sent'", "= coalesce(NULL, status)"),
    ],
)
def test_what_looks_first_or_is_meant_to_lead_back_is_legal(other: str, world: World) -> None:
    assert _illegal(world, _SEND, _VOID, other) == []


def test_one_guard_makes_nothing_final(world: World) -> None:
    assert _illegal(world, _SEND, _tool("return_it", "new")) == []
