"""The parts of SQL text that hide what is in them, as regular expressions.

What is not closed takes the rest, as SQLite refuses it anyway; and nothing is given back once it is read, so a long
one takes no memory.
"""

from __future__ import annotations

TEXT = r"""'[^']*+(?:''[^']*+)*+(?:'|\Z)"""
QUOTED_NAME = r"""(?:"[^"]*+(?:""[^"]*+)*+(?:"|\Z)|`[^`]*+(?:``[^`]*+)*+(?:`|\Z)|\[[^\]]*+(?:\]|\Z))"""
COMMENT = r"""(?:--[^\n]*+|/\*(?s:.*?)(?:\*/|\Z))"""
