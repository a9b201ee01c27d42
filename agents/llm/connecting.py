"""A chat from a model's name."""

from __future__ import annotations

from ...environments.errors import InputError
from .base import Chat, ModelSettings
from .names import ModelName


def chat_with(name: str, settings: ModelSettings | None = None) -> Chat:
    """The model that `name` names (forms: `agents.llm.names`). Nothing is sent yet.

    Errors: InputError for a name, a missing package or a price list that cannot be used.
    """
    # Loads LangChain and the provider's library: most of a second that no other command should pay.
    from .asking import ProviderChat

    return ProviderChat(name.strip(), settings or ModelSettings())


def check_key(name: str) -> None:
    """Errors: InputError for a hosted model whose key is set nowhere; a server of one's own may need none."""
    # Reads the environment and .env, through a library that no other command should load.
    from .keys import find_key, key_variables

    model = ModelName.parse(name)
    variables = key_variables(model)
    if model.is_hosted and variables and find_key(model) is None:
        raise InputError(
            f"{name} needs a key, and none is set.",
            remedy=f"Put it into {' or '.join(variables)}, in the environment or in .env.",
        )
