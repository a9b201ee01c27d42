"""How a failed call looks, in three forms, and the canonical failure that each tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, get_args

from ..models import ToolFailure
from ..models.tools import ErrorCode

_TYPE: Final = "urn:problem-type:"
_STATUS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "invalid_argument": 400,
        "forbidden": 403,
        "not_found": 404,
        "conflict": 409,
        "limit_exceeded": 429,
        "internal": 500,
    }
)


class ErrorForm(NamedTuple):
    """`shown` makes the JSON that a player sees; `read` undoes it."""

    shown: Callable[[ToolFailure], dict[str, Any]]
    read: Callable[[Mapping[str, Any]], ToolFailure]


def _plain(failure: ToolFailure) -> dict[str, Any]:
    return {"error": {"code": failure.code, "message": failure.message}}


def _coded(failure: ToolFailure) -> dict[str, Any]:
    return {"error": {"code": failure.code.upper(), "message": failure.message}}


def _problem(failure: ToolFailure) -> dict[str, Any]:
    """Problem details, RFC 9457; the type is a URN, since nothing can be fetched from within a world."""
    code = failure.code
    return {
        "type": f"{_TYPE}{code.replace('_', '-')}",
        "title": code.replace("_", " ").capitalize(),
        "status": _STATUS[code],
        "detail": failure.message,
    }


def _read_error(payload: Mapping[str, Any]) -> ToolFailure:
    return ToolFailure(code=payload["error"]["code"].lower(), message=payload["error"]["message"])


def _read_problem(payload: Mapping[str, Any]) -> ToolFailure:
    return ToolFailure(code=_CODES[payload["type"]], message=payload["detail"])


_CODES: Final = MappingProxyType({f"{_TYPE}{code.replace('_', '-')}": code for code in get_args(ErrorCode)})
ERROR_FORMS: Final[Mapping[str, ErrorForm]] = MappingProxyType(
    {
        "plain": ErrorForm(_plain, _read_error),
        "coded": ErrorForm(_coded, _read_error),
        "problem": ErrorForm(_problem, _read_problem),
    }
)
