"""What a user names as `module:attr`: their own code, which may fail in its own ways."""

from __future__ import annotations

import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from ..environments.errors import InputError


def attribute_at(name: str, what: str) -> Any:
    """The object at `module:attr.attr`. `what` says for people what it is to be ("critic").

    Errors: InputError for a module or attribute that is not there, and for a module that fails while it is imported, with
    the line of it that did.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Any = import_module(module)
    except ImportError as error:
        raise _unloaded(name, what, str(error)) from error
    except Exception as error:  # whatever the user's module does
        raise _unloaded(name, what, f"{type(error).__name__}: {error}, at {_place(error)}") from error
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise _unloaded(name, what, f"{module} has no {attribute!r}")
        found = getattr(found, part)
    return found


def _place(error: Exception) -> str:
    """File and line at which the exception was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.lineno}"


def _unloaded(name: str, what: str, reason: str) -> InputError:
    return InputError(
        f"The {what} {name!r} cannot be loaded: {reason}.", remedy="Give module:attr as Python would import it."
    )
