"""Templates, names and words."""

from __future__ import annotations

from typing import Any, NamedTuple

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envolve.agents.procedural.naming import called
from envolve.agents.procedural.shorthand import column, parameter, parse
from envolve.agents.procedural.templates import render, render_tree
from envolve.agents.procedural.words_in_text import Overlap, occurrences, stem, words
from envolve.environments.errors import InputError


class Named(NamedTuple):
    table: str
    noun: str


CONTEXT: dict[str, Any] = {"booking": Named("bookings", "booking"), "variant": {"capacity": "shared"}}

PIECES = st.sampled_from(
    ["SELECT ", "{{booking.table}}", "{{ booking.noun }}", "{name}", "'x'", " ", "{{variant.capacity}}"]
)


@settings(max_examples=80, deadline=None, derandomize=True, database=None)
@given(st.lists(PIECES, max_size=8))
def test_the_short_path_renders_as_jinja_does(pieces: list[str]) -> None:
    text = "".join(pieces)
    expected = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True).from_string(text)
    assert render(text, CONTEXT) == expected.render(CONTEXT)


@pytest.mark.parametrize("text", ["{{nobody}}", "{{booking.nothing}}", "{% if nobody %}x{% endif %}"])
def test_unknown_names_are_told_with_the_text(text: str) -> None:
    with pytest.raises(InputError, match="unknown"):
        render(text, CONTEXT)


def test_conditions_drop_entries_keys_and_items() -> None:
    tree = {
        "keep": {"when": "variant.capacity == 'shared'", "noun": "{{booking.noun}}"},
        "drop": {"when": "variant.capacity == 'exclusive'", "noun": 1},
        "{% if false %}gone{% endif %}": 1,
        "list": ["a", {"when": "false", "noun": "b"}, {"when": "true", "noun": "c"}],
        3: 4,
    }
    assert render_tree(tree, CONTEXT) == {"keep": {"noun": "booking"}, "list": ["a", {"noun": "c"}], 3: 4}


def test_what_is_under_a_condition_stands_for_itself() -> None:
    tree = {
        "fee": {"when": "variant.capacity == 'shared'", "is": "{{booking.noun}}"},
        "list": [{"when": "false", "is": "a"}, {"when": "true", "is": ["b"]}],
    }
    assert render_tree(tree, CONTEXT) == {"fee": "booking", "list": [["b"]]}


def test_names_follow_from_the_noun() -> None:
    one = called("x.y", "car wash")
    assert (one.table, one.one, one.fk, one.plural, one.a, one.A) == (
        "car_washes",
        "car_wash",
        "car_wash_id",
        "car washes",
        "a car wash",
        "A car wash",
    )
    owned = one._replace(owner="@.member_id = :actor_id", staff_test="staff()")
    assert owned.seen.w == "(staff() OR w.member_id = :actor_id)"


@pytest.mark.parametrize(
    ("form", "sql"),
    [
        ("text(20)!", "TEXT NOT NULL UNIQUE CHECK (length(c) BETWEEN 1 AND 20)"),
        ("int(1,5)?", "INTEGER CHECK (c BETWEEN 1 AND 5)"),
        ("int(0,)", "INTEGER NOT NULL CHECK (c >= 0)"),
        ("money", "INTEGER NOT NULL CHECK (c >= 0)"),
        ("bool", "INTEGER NOT NULL CHECK (c IN (0, 1))"),
        ("date", "TEXT NOT NULL CHECK (c IS date(c))"),
        ("code", "TEXT NOT NULL UNIQUE"),
        ("ref(owner)?", "INTEGER REFERENCES people (id)"),
    ],
)
def test_columns_from_short_forms(form: str, sql: str) -> None:
    assert column("c", form, {"owner": "people"}).sql == sql


def test_columns_from_mappings() -> None:
    enum = column("s", {"enum": ["a", {"value": "b"}]}, {})
    assert (enum.sql, enum.values) == ("TEXT NOT NULL CHECK (s IN ('a', 'b'))", ("a", "b"))
    assert column("n", {"is": "int(0,9)", "default": 0}, {}).sql.endswith("DEFAULT 0")


def test_parameters_from_short_forms() -> None:
    schema, required, slot = parameter("ref(owner)? | Who", {"owner": "people"})
    assert (schema["ref"], schema["description"], required, slot) == ("people.id", "Who", False, "owner")
    assert parameter("ref(owner)!", {"owner": "people"})[2] is None
    assert parameter("enum(a, b) | Which", {})[0]["enum"] == ["a", "b"]


@pytest.mark.parametrize("form", ["", "No Such", "text(", "1x"])
def test_wrong_short_forms_are_told(form: str) -> None:
    with pytest.raises(InputError):
        parse(form)


def test_unknown_kinds_are_told_with_those_that_exist() -> None:
    with pytest.raises(InputError, match="money"):
        column("c", "colour", {})


def test_words_of_a_text_are_found_in_any_number() -> None:
    text = words(
        "Front-desk clerks assign rooms; nobody is checked into a Room still marked dirty. Charge posts too."
    )
    assert occurrences("room", text)[0] == 2
    assert occurrences("charge post", text)[0] == 1
    assert occurrences("lift", text) == (0, len(text))


def test_stems_unite_forms_of_a_word() -> None:
    assert len({stem(word) for word in ("booking", "bookings", "booked", "books", "book")}) == 1


def test_rare_words_say_more() -> None:
    overlap = Overlap({"hotel": ["room guest kettle"], "court": ["room judge"], "pool": ["room lane"]})
    scores = overlap.scores("A kettle in the room")
    assert scores["hotel"] > scores["court"] == scores["pool"]
