"""Spellings: valid wherever tools are called, each of its own, and nothing else than another spelling."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.environments import Environment
from envolve.environments.models import Surface
from envolve.environments.surface.names import field_spellings, respelled, tool_spellings

from .conftest import VALUES, any_surface

VALID = re.compile(r"[A-Za-z0-9_-]{1,64}")
NAMES = st.lists(st.from_regex(r"[a-c][a-c0-9_]{0,6}", fullmatch=True), unique=True, max_size=12)


@given(NAMES, any_surface)
def test_spellings_are_valid_and_each_of_its_own(names: list[str], surface: Surface) -> None:
    for spelled in (tool_spellings(names, surface), field_spellings(names, surface)):
        assert list(spelled) == names
        assert len(set(spelled.values())) == len(names)
        assert all(VALID.fullmatch(name) for name in spelled.values())


@pytest.mark.parametrize("style", VALUES["names"])
def test_no_tool_is_spelled_as_one_of_the_runtimes(style: str) -> None:
    names = ["submit_", "say_", "s_ubmit", "list_bookings"]
    assert not {"submit", "say"} & set(tool_spellings(names, Surface.model_validate({"names": style})).values())


def test_what_each_style_makes_of_a_name() -> None:
    tools = ["list_bookings", "check_in_guest", "search"]
    spelled = {
        style: list(tool_spellings(tools, Surface.model_validate({"names": style})).values())
        for style in VALUES["names"]
    }
    assert spelled == {
        "snake": tools,
        "camel": ["listBookings", "checkInGuest", "search"],
        "kebab": ["list-bookings", "check-in-guest", "search"],
        "noun_first": ["bookings_list", "guest_check_in", "search"],
    }


def test_names_in_texts_are_spelled_too_but_words_are_not() -> None:
    names = {"table_id": "tableId", "status": "state"}
    assert respelled("Give table_id, not my_table_id, and a status.", names) == (
        "Give tableId, not my_table_id, and a status."
    )


@pytest.mark.parametrize("world", ["sample", "composed"])
@settings(max_examples=12, deadline=None)
@given(surface=any_surface)
def test_definitions_are_valid_and_keep_what_is_required(
    worlds: dict[str, Environment], world: str, surface: Surface
) -> None:
    from envolve.environments.surface import Look

    environment = worlds[world]
    look = Look(surface, environment.plans, environment.tables(), frozenset(), environment.hash)
    spelled = [tool.name for tool in look.tools.values()]
    assert len(set(spelled)) == len(spelled)
    assert all(VALID.fullmatch(name) for name in spelled)
    for name, plan in environment.plans.items():
        schema, plain = look.definition(name)["inputSchema"], plan.arguments.schema
        jsonschema.Draft202012Validator.check_schema(schema)
        assert set(schema.get("required", ())) <= set(schema["properties"])
        assert len(schema.get("required", ())) == len(plain.get("required", ()))
        assert len(schema["properties"]) == len(plain["properties"])
        for field in schema["properties"].values():
            _check_default(field)


def _check_default(schema: dict[str, Any]) -> None:
    if "default" in schema:
        jsonschema.validate(schema["default"], schema)
