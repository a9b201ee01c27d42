"""How an environment is served over HTTP."""

from __future__ import annotations

from typing import Final

from pydantic import Field, field_validator, model_validator

from ..models import Frozen

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
GRACE_SECONDS: Final = 5
"""How long answers under way may take when an episode ends or the service stops."""


class ServiceSettings(Frozen):
    """Where the two surfaces listen, who may use them, and how much they hold.

    A port of 0 takes any free one. The agent surface needs a token only when it listens beyond loopback; the control
    surface always has one. A token that is needed and not given is generated.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=8750, ge=0, le=65535)
    control_host: str = "127.0.0.1"
    """Loopback unless asked otherwise, wherever the agent surface listens."""
    control_port: int | None = Field(default=None, ge=0, le=65535)
    """Absent: the port after `port`."""
    token: str | None = Field(default=None, min_length=8, repr=False)
    control_token: str | None = Field(default=None, min_length=8, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    """Further names under which clients reach the service (`Host` headers, without a port)."""
    max_episodes: int = Field(default=1000, ge=1)
    idle_seconds: float = Field(default=1800.0, gt=0, allow_inf_nan=False)
    """An episode without any request for so long is closed."""

    @field_validator("token", "control_token")
    @classmethod
    def _sendable(cls, token: str | None) -> str | None:
        if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
            raise ValueError("a token is printable ASCII without spaces")
        return token

    @model_validator(mode="after")
    def _apart(self) -> ServiceSettings:
        if self.token is not None and self.token == self.control_token:
            raise ValueError("token and control_token must differ, or agents could verify their own episodes")
        return self

    @property
    def resolved_control_port(self) -> int:
        if self.control_port is not None:
            return self.control_port
        return self.port + 1 if 0 < self.port < 65535 else 0
