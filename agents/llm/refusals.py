"""What to tell people of a call that failed for good, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from .connection import Connection
from .errors import ModelRefused, ModelUnavailable, RequestRefused
from .failures import Trouble
from .keys import key_variables
from .names import ModelName
from .own_content import Reason

_SHOWN = 8
_FOR_ONE: dict[Reason, str] = {
    "context": "Name a model with a longer context, or allow shorter replies.",
    "content": "The provider's filter will not have what it says: name another model for this role.",
    "form": "The provider does not take the tools as they are written: name another model for this role.",
}


async def error_for(connection: Connection, trouble: Trouble) -> ModelRefused | ModelUnavailable | RequestRefused:
    """Asks the server which models it has, where that may help."""
    name = connection.name
    if trouble.reason:
        words = trouble.words.rstrip(".") + "."
        return RequestRefused(str(name), words, reason=trouble.reason, remedy=_FOR_ONE[trouble.reason])
    if trouble.passing:
        return ModelUnavailable(
            f"{name} did not answer: {trouble.words} (patience: {connection.settings.patience:g} s).",
            remedy=_when_down(name, trouble),
        )
    listed = await connection.listed() if trouble.status in (400, 404, 422) else ()
    remedy = _when_refused(name, trouble, has_key=connection.key is not None, listed=listed)
    return ModelRefused(f"{name} refused the call: {trouble.words.rstrip('.')}.", remedy=remedy)


def near(name: ModelName, listed: Sequence[str]) -> str:
    """A sentence on the models there are; empty where none are listed."""
    if not listed:
        return ""
    close = get_close_matches(name.model, listed, n=_SHOWN, cutoff=0.5)
    shown = close or list(listed[:_SHOWN])
    more = "" if len(shown) == len(listed) else f" (of {len(listed)})"
    return f"The server has {', '.join(shown)}{more}."


def _when_down(name: ModelName, trouble: Trouble) -> str:
    if trouble.status == 429:
        return "Run the same command later, or lower the number of calls at once."
    if name.url and trouble.status is None:
        return f"Check that a server with OpenAI's wire format is running at {name.url}; then run the same command again."
    return "Run the same command again later: what was paid for is kept."


def _when_refused(name: ModelName, trouble: Trouble, *, has_key: bool, listed: Sequence[str]) -> str:
    variables = " or ".join(key_variables(name))
    if trouble.status == 401:
        if not variables:
            return f"Check the credentials that {name.provider} needs."
        if has_key:
            return f"The key in {variables} was not accepted: correct it, in the environment or in .env."
        return f"No key is set: put it into {variables}, in the environment or in .env."
    if trouble.status == 403:
        return f"The key may not use {name.model}: ask the provider for access, or name another model."
    if trouble.status == 429:
        return "The account has no credit left: add some with the provider, or name another model."
    if trouble.status == 404:
        there = near(name, listed) or "Check the model's name" + (
            ", and that the URL ends in /v1." if name.url else "."
        )
        return f"{there} `envolve doctor` checks models."
    known = f" {near(name, listed)}" if listed and name.model not in listed else ""
    return f"Change the model or its settings.{known}"
