"""What all tests may use: a model server that plays what a test tells it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from .scripted_model import ScriptedModel

# No test fails for how fast the machine is: speed is for the benchmarks.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def model_server() -> Iterator[ScriptedModel]:
    """Real HTTP on loopback; all its threads end with the test."""
    server = ScriptedModel()
    try:
        yield server
    finally:
        server.close()
