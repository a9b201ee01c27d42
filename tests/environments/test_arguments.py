"""Arguments are checked strictly: no coercion, nothing unknown, nothing that SQL cannot hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from envolve.environments.arguments import Arguments, bound
from envolve.environments.models import Param

PARAMS: dict[str, dict[str, Any]] = {
    "count": {"type": "integer", "minimum": 1, "maximum": 20},
    "price": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5},
    "name": {"type": "string", "minLength": 1, "maxLength": 5},
    "kind": {"type": "string", "enum": ["a", "b"]},
    "code": {"type": "string", "pattern": "^[A-Z]+$"},
    "day": {"type": "string", "format": "date"},
    "at": {"type": "string", "format": "date-time"},
    "time": {"type": "string", "format": "time"},
    "mail": {"type": "string", "format": "email"},
    "open": {"type": "boolean"},
    "ids": {"type": "array", "items": {"type": "integer"}, "maxItems": 3, "uniqueItems": True},
    "place": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
    "maybe": {"type": "string", "nullable": True},
}


@pytest.fixture(scope="module")
def arguments() -> Arguments:
    return Arguments({name: Param.model_validate(param) for name, param in PARAMS.items()}, ())


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"count": 1},
        {"count": 20},
        {"price": 1.5},
        {"price": 3},
        {"name": "é" * 5},
        {"kind": "b"},
        {"code": "AB"},
        {"day": "2028-02-29"},
        {"at": "2026-03-06 19:30:00"},
        {"time": "07:05"},
        {"mail": "ada@example.com"},
        {"open": False},
        {"ids": []},
        {"ids": [3, 1, 2]},
        {"place": {"x": 1}},
        {"maybe": None},
    ],
)
def test_valid(args: dict[str, Any], arguments: Arguments) -> None:
    assert arguments.problem(args) is None


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"count": 0}, "count: 0 is less than the minimum"),
        ({"count": 21}, "count: 21 is greater than the maximum"),
        ({"count": "5"}, "count: '5' is not of type 'integer'"),
        ({"count": 5.0}, "count: 5.0 is not of type 'integer'"),
        ({"count": True}, "count: True is not of type 'integer'"),
        ({"count": None}, "count: None is not of type 'integer'"),
        ({"count": 2**63}, "count: the number is too large"),
        ({"count": -(2**63) - 1}, "count: the number is too large"),
        ({"count": 10**5000}, "count: the number is too large"),
        ({"price": 0}, "price: 0 is less than or equal to the minimum"),
        ({"price": 0.3}, "price: 0.3 is not a multiple of"),
        ({"price": float("nan")}, "price: not a finite number"),
        ({"price": float("-inf")}, "price: not a finite number"),
        ({"price": False}, "price: False is not of type 'number'"),
        ({"name": ""}, "name: '' should be non-empty"),
        ({"name": "abcdef"}, "name: 'abcdef' is too long"),
        ({"name": "a\0"}, "name: the text holds a NUL character"),
        ({"name": "\ud800"}, "name: the text is not valid Unicode"),
        ({"kind": "c"}, "kind: 'c' is not one of"),
        ({"code": "Ab"}, "code: 'Ab' does not match"),
        ({"day": "2026-02-29"}, "day: '2026-02-29' is not a date"),
        ({"day": "2026-2-9"}, "day: '2026-2-9' is not a date"),
        ({"day": "20260209"}, "is not a date"),
        ({"day": "2026-W10-1"}, "is not a date"),
        ({"day": "٢٠٢٦-٠٣-٠٢"}, "is not a date"),
        ({"at": "2026-03-06T19:30:00"}, "is not a date and time"),
        ({"at": "2026-03-06 19:30"}, "is not a date and time"),
        ({"at": "2026-03-06 19:30:00.5"}, "is not a date and time"),
        ({"at": "2026-03-06 24:00:00"}, "is not a date and time"),
        ({"time": "7:05"}, "is not a time"),
        ({"time": "24:00"}, "is not a time"),
        ({"time": "07:05\n"}, "is not a time"),
        ({"mail": "ada"}, "is not an email address"),
        ({"mail": "a@b"}, "is not an email address"),
        ({"mail": "a b@c.de"}, "is not an email address"),
        ({"open": 1}, "open: 1 is not of type 'boolean'"),
        ({"open": "true"}, "open: 'true' is not of type 'boolean'"),
        ({"ids": [1, "2"]}, "ids.1: '2' is not of type 'integer'"),
        ({"ids": [1, 1]}, "ids: [1, 1] has non-unique elements"),
        ({"ids": [1, 2, 3, 4]}, "ids: [1, 2, 3, 4] is too long"),
        ({"ids": [2**70]}, "ids: the number is too large"),
        ({"ids": (1,)}, "ids: tuple is no JSON value"),
        ({"ids": list(range(2000))}, "more than 1,000 items"),
        ({"place": {}}, "place: 'x' is a required property"),
        ({"place": {"x": 1, "y": 2}}, "place: Additional properties are not allowed"),
        ({"place": {"x": "\0"}}, "NUL"),
        ({"place": {1: 2}}, "keys of objects are texts"),
        ({"maybe": 1}, "maybe: 1 is not of type"),
        ({"other": 1}, "there is no argument 'other'; arguments: count"),
        ({"na\ud800me": 1}, "there is no argument"),
        ({"name": b"x"}, "bytes is no JSON value"),
    ],
)
def test_invalid(args: dict[str, Any], said: str, arguments: Arguments) -> None:
    problem = arguments.problem(args)
    assert problem is not None
    assert said in problem
    problem.encode()


def test_missing() -> None:
    needs = Arguments({"a": Param(type="integer"), "b": Param(type="integer")}, ("a", "b"))
    assert needs.problem({"b": 1}) == "missing: a"
    assert needs.problem({}) == "missing: a, b"


def test_deep_nesting_is_no_recursion_error(arguments: Arguments) -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    assert "nested too deeply" in str(arguments.problem({"ids": deep}))


def test_long_values_are_cut_in_messages(arguments: Arguments) -> None:
    assert len(str(arguments.problem({"name": "x" * 100_000}))) < 400


def test_binding(arguments: Arguments) -> None:
    names = arguments.bind({"open": True, "ids": [2, 1], "price": 3, "maybe": None})
    assert names["open"] == 1
    assert names["ids"] == "[2,1]"
    assert repr(names["price"]) == "3.0", "a number is the same however it was written"
    assert (names["maybe"], names["given_maybe"]) == (None, 1)
    assert (names["count"], names["given_count"]) == (None, 0)
    assert set(names) == set(arguments.names)


def test_defaults_bind_but_are_not_given() -> None:
    with_default = Arguments({"size": Param(type="array", items=Param(type="integer"), default=[4])}, ())
    assert with_default.bind({}) == {"size": "[4]", "given_size": 0}


def test_schema_is_json_schema_that_others_read(arguments: Arguments) -> None:
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(arguments.schema)
    plain = jsonschema.Draft202012Validator(arguments.schema)
    assert plain.is_valid({"at": "2026-03-06 19:30:00", "time": "19:30"})
    assert not plain.is_valid({"at": "2026-03-06T19:30:00Z"})
    properties = arguments.schema["properties"]
    assert "YYYY-MM-DD HH:MM:SS" in properties["at"]["description"]
    assert "format" not in properties["at"], "JSON Schema's date-time is another notation"
    assert properties["maybe"]["type"] == ["string", "null"]
    assert json.dumps(arguments.schema)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(args=st.dictionaries(st.sampled_from([*PARAMS, "other"]), json_values, max_size=4))
@settings(derandomize=True, database=None, max_examples=200, deadline=None)
def test_whatever_passes_can_be_bound(args: dict[str, Any]) -> None:
    arguments = Arguments({name: Param.model_validate(param) for name, param in PARAMS.items()}, ())
    if arguments.problem(args) is None:
        for value in arguments.bind(args).values():
            assert value is None or isinstance(value, int | float | str)
            assert not isinstance(value, int) or -(2**63) <= value < 2**63
            assert not isinstance(value, str) or value.encode()


@pytest.mark.parametrize(("make", "expected"), [(lambda: bound(Param(type="number"), 2**60 + 1), 2**60 + 1)])
def test_numbers_beyond_doubles_stay_whole(make: Callable[[], object], expected: object) -> None:
    assert make() == expected


@pytest.mark.parametrize(
    ("step", "right", "wrong"),
    [
        (0.1, (0.3, 0.7, 1, -2.1, 0, 1e300), (0.35, 1e-9)),
        (0.01, (19.99, 4.35, 1.1, 1e22), (0.001, 19.995)),
        (5, (10, 15.0, -5, 2**62 - 4), (3, 2.5, 7.5)),
        (1e-7, (0.3, 1e-7), (1e-8,)),
    ],
)
def test_multiples_are_as_written(step: float, right: tuple[float, ...], wrong: tuple[float, ...]) -> None:
    checked = Arguments({"x": Param.model_validate({"type": "number", "multipleOf": step})}, ())
    assert [checked.problem({"x": value}) for value in right] == [None] * len(right)
    for value in wrong:
        assert f"{value!r} is not a multiple of" in str(checked.problem({"x": value}))


@pytest.mark.parametrize("keyword", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
def test_bounds_are_finite(keyword: str) -> None:
    for value in (float("inf"), float("nan")):
        with pytest.raises(ValidationError):
            Param.model_validate({"type": "number", keyword: value})
