"""What an instruction says, and in how many ways it can be said."""

from .wording import Wording as Wording
from .wording import has_phrase as has_phrase
