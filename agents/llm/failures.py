"""What went wrong with a call, whichever library it went through: will it pass, or never?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from pydantic import SecretStr

from .keys import without_keys
from .own_content import Reason, reason_of

_UNSENDABLE = (ValueError, TypeError, LookupError, AttributeError, NotImplementedError, ImportError)
_PASSING = {408, 409, 425, 429}
_TIMED_OUT = {408, 504, 524}
_READ = 2_000
_SHOWN = 300
"""Characters of a provider's own words that are looked at, and shown."""


class MeaninglessReply(Exception):
    """What the server sent with status 200 is no chat completion."""


class NotAnEndpoint(Exception):
    """What the server sent with status 200 is not even JSON: a page for people, most likely."""


class Trouble(NamedTuple):
    """A call that brought no reply. `retry_after` is what the provider asked for, in seconds; `words` say what
    happened and hold no key. `is_known` is False for what nobody foresaw, which is not worth much patience. `reason`
    is set where this one request is refused, and others need not be. `may_cost` is True where the provider may have
    worked on the call all the same, and bill it."""

    words: str
    passing: bool
    status: int | None = None
    retry_after: float | None = None
    is_known: bool = True
    reason: Reason | None = None
    may_cost: bool = False


def trouble_from(error: Exception, key: SecretStr | None, most: int = 0) -> Trouble:
    """`most` is how many tokens of an answer were asked for."""
    chain = list(_chain(error))
    status, response = next(((s, r) for s, r in map(_status, chain) if s is not None), (None, None))
    if status is not None and status >= 400:
        return _refusal(status, response, error, key, most)
    names = " ".join(type(link).__name__ for link in chain)
    if "Timeout" in names:
        was_sent = "ConnectTimeout" not in names and "PoolTimeout" not in names
        return Trouble("it did not answer in time", passing=True, may_cost=was_sent)
    if any(isinstance(link, json.JSONDecodeError | UnicodeDecodeError) for link in chain):
        return Trouble("its answer broke off or is no JSON", passing=True, may_cost=True)
    if "ConnectError" in names or any(isinstance(link, ConnectionRefusedError) for link in chain):
        return Trouble("it cannot be reached", passing=True)
    if any(isinstance(link, OSError) for link in chain) or "Connection" in names or "Protocol" in names:
        return Trouble("the connection broke off", passing=True, may_cost=True)
    said = _bounded(str(error), key)
    if isinstance(error, MeaninglessReply):
        return Trouble(f"its answer is no chat completion ({said})", passing=True, may_cost=True)
    if isinstance(error, NotAnEndpoint):
        return Trouble(f"its answer is no chat completion ({said})", passing=True, is_known=False)
    if isinstance(error, _UNSENDABLE):
        # The provider's package would not send it: what is asked for does not go with the model.
        return Trouble(said, passing=False)
    return Trouble(f"{type(error).__name__}: {said}", passing=True, is_known=False, may_cost=True)


def seconds_to_wait(value: str | None, now: datetime | None = None) -> float | None:
    """What a Retry-After header asks for: seconds, or an HTTP date. None for one that cannot be read."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(value)
    except ValueError:
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())


def _refusal(status: int, response: Any, error: Exception, key: SecretStr | None, most: int) -> Trouble:
    headers = getattr(response, "headers", None) or {}
    codes, said = _said(error)
    reason = reason_of(status, codes, said[:_READ], most)
    passing = (status in _PASSING or status >= 500) and "insufficient_quota" not in codes and reason is None
    # What comes with a 401 tends to quote the key, or parts of it.
    words = f"HTTP {status}" if status == 401 or not said else f"HTTP {status}: {_bounded(said, key)}"
    wait = seconds_to_wait(headers.get("retry-after"))
    return Trouble(words, passing, status, wait, reason=reason, may_cost=status in _TIMED_OUT)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> tuple[int | None, Any]:
    response = getattr(error, "response", None)
    for value in (getattr(error, "status_code", None), getattr(response, "status_code", None), _code(error)):
        if isinstance(value, int) and not isinstance(value, bool):
            return int(value), response
    return None, None


def _code(error: BaseException) -> Any:
    """Google's libraries call it so."""
    return getattr(error, "code", None) if "google" in type(error).__module__ else None


def _said(error: Exception) -> tuple[tuple[str, ...], str]:
    """The provider's code and kind of error, and its words."""
    for link in _chain(error):
        body = getattr(link, "body", None)
        inner = body.get("error", body) if isinstance(body, dict) else None
        if isinstance(inner, dict):
            return (str(inner.get("code")), str(inner.get("type"))), str(inner.get("message") or "")
    return (), str(error)


def _bounded(words: str, key: SecretStr | None) -> str:
    flat = " ".join(without_keys(words, key).split())
    return flat if len(flat) <= _SHOWN else flat[:_SHOWN] + "…"
