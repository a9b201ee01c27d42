"""What keeps an object from being of a wanted shape, as sentences with the path and what was expected."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Shape = TypeVar("Shape", bound=BaseModel)

_VALUE = 80
_MOST = 20


def shaped(value: dict[str, Any], shape: type[Shape]) -> Shape | tuple[str, ...]:
    """The object as a `shape`, or what is wrong with it. Fields that the shape does not have are problems too."""
    try:
        return shape.model_validate_json(json.dumps(value), extra="forbid")
    except ValidationError as error:
        return bounded([_sentence(one) for one in error.errors(include_url=False, include_context=False)])


def bounded(problems: list[str]) -> tuple[str, ...]:
    """No more than a model can work off at once."""
    unlike = list(dict.fromkeys(problems))
    left = len(unlike) - _MOST
    return (*unlike[:_MOST], *([f"… and {left} more of such problems"] if left > 0 else []))


def compact_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape's JSON Schema without what only repeats names."""
    schema: dict[str, Any] = _untitled(shape.model_json_schema())
    return schema


def _untitled(value: Any, *, names: bool = False) -> Any:
    """`names`: the keys of this object are names of fields, one of which may be `title`."""
    if isinstance(value, list):
        return [_untitled(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: item for key, item in value.items() if names or key != "title" or not isinstance(item, str)}
    return {key: _untitled(item, names=not names and key in ("properties", "$defs")) for key, item in kept.items()}


def _sentence(error: Any) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error["loc"]).lstrip(".")
    where = path or "the object"
    match error["type"]:
        case "missing":
            return f"{where}: is missing"
        case "extra_forbidden":
            return f"{where}: there is no such field; leave it out"
        case "json_invalid":
            return f"the text is no valid JSON: {error['msg']}"
    shown = repr(error.get("input"))
    shown = shown if len(shown) <= _VALUE else shown[:_VALUE] + "…"
    return f"{where}: {error['msg'].removeprefix('Value error, ')} (it is {shown})"
