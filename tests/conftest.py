"""What all tests may use: a model server that plays what a test tells it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .scripted_model import ScriptedModel


@pytest.fixture
def model_server() -> Iterator[ScriptedModel]:
    """Real HTTP on loopback; all its threads end with the test."""
    server = ScriptedModel()
    try:
        yield server
    finally:
        server.close()
