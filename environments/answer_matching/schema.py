"""The JSON Schema of `submit`'s `answer`: says what to hand in, never what is right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models.answers import Answer, ScalarKind

_HINTS: dict[str, str] = {
    "number": "A number, in the unit asked for; units are not converted.",
    "date": "A date (YYYY-MM-DD, or with time YYYY-MM-DD HH:MM).",
    "list": "Order counts.",
    "set": "Order does not count.",
    "rows": "One object per row; order does not count.",
}


def answer_schema(answer: Answer) -> dict[str, Any]:
    """JSON Schema of the answer that a task asks for; `{}` where it asks for none (kind none)."""
    if answer.kind == "none":
        return {}
    description = " ".join(filter(None, [answer.describe, _HINTS.get(answer.kind, "")]))
    return {**_shape(answer), **({"description": description} if description else {})}


def _shape(answer: Answer) -> dict[str, Any]:
    if answer.kind in ("list", "set"):
        return {"type": "array", "items": _scalar(answer, answer.of)}
    if answer.kind == "object":
        return _record(answer, answer.fields)
    if answer.kind == "rows":
        return {"type": "array", "items": _record(answer, answer.columns)}
    if answer.kind in ("text", "number", "date", "choice"):
        return _scalar(answer, answer.kind)
    return {}


def _record(answer: Answer, fields: Mapping[str, ScalarKind]) -> dict[str, Any]:
    properties = {name: _scalar(answer, kind, missing=True) for name, kind in fields.items()}
    return {"type": "object", "properties": properties, "required": list(fields), "additionalProperties": False}


def _scalar(answer: Answer, kind: ScalarKind, *, missing: bool = False) -> dict[str, Any]:
    """One value. Numbers may be written as text (`"3,900"`); inside records null stands for what is not there."""
    types = ["number", "string"] if kind == "number" else ["string"]
    types += ["null"] if missing else []
    schema: dict[str, Any] = {"type": types if len(types) > 1 else types[0]}
    if kind == "choice":
        schema["enum"] = [*answer.options, *([None] if missing else [])]
    return schema
