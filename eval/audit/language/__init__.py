"""What an instruction says, and in how many ways it can be said."""

from .ordering import order_said as order_said
from .wording import Wording as Wording
from .wording import days_within as days_within
from .wording import has_phrase as has_phrase
from .wording import is_date as is_date
from .wording import is_day as is_day
