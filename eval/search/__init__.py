"""Search for solutions of a task without its gold, over clones of its world. Privileged: it reads the verifier."""

from .base import Call as Call
from .base import Found as Found
from .base import SearchResult as SearchResult
from .searching import search as search
