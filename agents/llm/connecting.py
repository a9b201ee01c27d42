"""A chat from a model's name."""

from __future__ import annotations

from .base import Chat, ModelSettings


def chat_with(name: str, settings: ModelSettings | None = None) -> Chat:
    """The model that `name` names (forms: `agents.llm.names`). Nothing is sent yet.

    Errors: InputError for a name, a missing package or a price list that cannot be used.
    """
    # Loads LangChain and the provider's library: most of a second that no other command should pay.
    from .asking import ProviderChat

    return ProviderChat(name.strip(), settings or ModelSettings())
