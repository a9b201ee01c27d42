"""Groups of contracts put together, and what follows from a brief without asking a model."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from envolve.agents.prompted.architect.drafts import (
    ContractsDraft,
    RequirementsDraft,
    SettlementDraft,
)
from envolve.agents.prompted.architect.leaving_out import possible_groups
from envolve.agents.prompted.architect.merging import Groups, conflicts, settled, without_repeated
from envolve.agents.prompted.architect.requirement_checks import requirement_problems
from envolve.agents.prompted.architect.wanted import clock_of, moment_text, stem_of, wanted

from .kayaks import BRIEF
from .kayaks.contracts import CONTRACTS
from .kayaks.plan import REQUIREMENTS

TABLES = ("people", "boats", "boat_kinds", "hires", "damages")
WANTS = ("r1", "r2", "r3", "r4", "r5")


def groups(*added: dict[str, Any]) -> Groups:
    """The groups of the kayak hire, with more tools in the yard."""
    replies = copy.deepcopy(CONTRACTS)
    replies["yard"]["tools"] += added
    return {name: list(ContractsDraft.model_validate(reply).tools) for name, reply in replies.items()}


def contract(group: str, name: str, /, **changes: Any) -> dict[str, Any]:
    found = next(tool for tool in CONTRACTS[group]["tools"] if tool["name"] == name)
    return {**copy.deepcopy(found), **changes}


def test_what_fits_together_has_no_conflicts() -> None:
    assert conflicts(groups(), WANTS, TABLES) == []


def test_repeated_and_near_same_tools_conflict() -> None:
    repeated = conflicts(groups(contract("hiring", "list_hires")), WANTS, TABLES)
    assert repeated == [
        "hiring/list_hires and yard/list_hires have the same name: drop one, or name it otherwise if they differ."
    ]
    alike = conflicts(groups(contract("hiring", "list_hires", name="search_hires")), WANTS, TABLES)
    assert len(alike) == 1
    assert "hiring/list_hires and yard/search_hires do nearly the same" in alike[0]


@pytest.mark.parametrize(
    "other",
    [
        contract("hiring", "cancel_hire", name="close_hire"),
        contract("hiring", "list_hires", name="list_late_hires", roles=["staff"]),
        contract("hiring", "list_hires", name="list_prices", result=["id", "price_cents"]),
    ],
    ids=["writes other values", "for others", "shows something else"],
)
def test_tools_that_differ_do_not_conflict(other: dict[str, Any]) -> None:
    assert conflicts(groups(other), WANTS, TABLES) == []


def test_unserved_requirements_and_unread_tables_conflict() -> None:
    found = conflicts(groups(), (*WANTS, "r6"), (*TABLES, "hire_events"))
    assert [line.partition(" is ")[0] for line in found] == ["requirement r6", "the table hire_events"]


def test_a_settlement_drops_replaces_and_adds() -> None:
    before = groups(contract("hiring", "list_hires"))
    draft = SettlementDraft.model_validate(
        {
            "drop": ["yard/list_hires"],
            "tools": [
                contract("hiring", "book_boat", group="hiring", description="Book a boat."),
                contract("hiring", "cancel_hire", group="yard", name="close_hire"),
            ],
        }
    )
    after = settled(before, draft)
    assert [tool.name for tool in after["hiring"]] == [tool.name for tool in before["hiring"]]
    assert after["hiring"][2].description == "Book a boat."
    assert [tool.name for tool in after["yard"]][-2:] == ["list_damages", "close_hire"]
    assert [tool.name for tool in without_repeated(before)["yard"]][-1] == "list_damages"


def test_groups_keep_what_the_tables_allow() -> None:
    plan = RequirementsDraft.model_validate(REQUIREMENTS)
    kept = possible_groups(plan, {"people", "boats", "boat_kinds", "hires", "hire_events"})
    assert [(group.name, group.requirements) for group in kept] == [("hiring", ("r1", "r2", "r4"))]


def test_sizes_are_as_wanted() -> None:
    usual = wanted(BRIEF.model_copy(update={"size": {}}))
    assert usual == ((12, 18), (25, 38), (10, 14), (5, 9))
    small = RequirementsDraft.model_validate(REQUIREMENTS)
    told = requirement_problems(small, usual)
    assert told[:2] == ["6 tables in parts: give 12 to 18.", "9 tools in groups: give 25 to 38."]
    assert requirement_problems(small, wanted(BRIEF)) == []


def test_the_clock_and_the_id_follow_from_the_brief() -> None:
    assert clock_of(BRIEF) == "2026-02-06 09:00:00"
    assert moment_text(clock_of(BRIEF)) == "2026-02-06 09:00:00 (Friday)"
    assert {clock_of(BRIEF.model_copy(update={"seed": seed}))[:4] for seed in range(50)} == {"2026"}
    assert stem_of("Lakeside: kayak hire!", "x") == "lakeside-kayak-hire"
    assert stem_of("…", "kayak-hire") == "kayak-hire"
