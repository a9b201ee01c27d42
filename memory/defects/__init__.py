"""Past defects: what is kept of them, what mended them, and which of them resemble what is being built."""

from .fixes import fix_text as fix_text
from .past import PastDefect as PastDefect
from .past import past_defects as past_defects
from .scenes import Scene as Scene
from .scenes import about as about
from .scenes import scene_in as scene_in
from .scenes import scene_of as scene_of
from .scenes import with_scene as with_scene
