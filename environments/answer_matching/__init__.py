"""Matching what a solver answered against what was expected: by kind, never by wording."""

from .matching import answers_match as answers_match
from .schema import answer_schema as answer_schema
