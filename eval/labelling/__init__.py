"""Ends of a task labelled right or wrong without a look at its verifier, so that verdicts can be held against them.

The operators that make the ends are held out of the audit: it has none of them, and takes nothing from here.
"""

from .base import Candidate as Candidate
from .base import End as End
from .base import Label as Label
from .base import Scene as Scene
from .base import blind as blind
from .labels import label_of as label_of
from .operators import RIGHT as RIGHT
from .operators import WRONG as WRONG
from .trials import Labelled as Labelled
from .trials import LabelledTrial as LabelledTrial
from .trials import labelled as labelled
from .verdicts import null_passes as null_passes
from .verdicts import verdict_on as verdict_on
