"""A model server for tests: real HTTP on loopback, OpenAI's wire format, replies and failures as a test scripts them."""

from .script import Failure as Failure
from .server import Received as Received
from .server import ScriptedModel as ScriptedModel
