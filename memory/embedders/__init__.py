"""Text to vectors: offline by default, anything else by name."""

from .base import Embedder as Embedder
from .named import embedder_named as embedder_named
