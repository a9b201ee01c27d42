"""Scenarios: short descriptions of services that environments are built from."""

from .files import read_scenarios as read_scenarios
from .files import scenario_of as scenario_of
from .files import shipped_scenarios as shipped_scenarios
from .files import write_scenarios as write_scenarios
