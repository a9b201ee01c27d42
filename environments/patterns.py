"""Patterns of text parameters, matched in linear time: a package's pattern cannot stall the process."""

from __future__ import annotations

from functools import cached_property, lru_cache

from pydantic_core import SchemaError, SchemaValidator, core_schema

_LONGEST_PATTERN = 1_000


class Pattern:
    """A regular expression in the syntax that Rust's regex crate takes: no look-around, no back-references."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @staticmethod
    @lru_cache(maxsize=1024)
    def of(pattern: str) -> Pattern:
        return Pattern(pattern)

    @cached_property
    def _validator(self) -> SchemaValidator:
        return SchemaValidator(core_schema.str_schema(pattern=self.pattern, strict=True, regex_engine="rust-regex"))

    def problem(self) -> str | None:
        """Why the pattern cannot be used; None if it can."""
        if len(self.pattern) > _LONGEST_PATTERN:
            return f"the pattern is longer than {_LONGEST_PATTERN} characters"
        try:
            _ = self._validator
        except SchemaError as error:
            return f"the pattern cannot be used: {str(error).splitlines()[-1].strip()}"
        return None

    def found_in(self, text: str) -> bool:
        """Whether the pattern matches somewhere in the text."""
        return self._validator.isinstance_python(text)
