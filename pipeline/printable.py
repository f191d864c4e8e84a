"""Text from files as a terminal shows it, instead of obeying it."""

from __future__ import annotations

import re
from typing import Final

CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that a terminal obeys instead of showing them."""


def visible(text: str) -> str:
    r"""The text with its control characters, and those that turn its direction, as ``\xNN`` or ``\uNNNN``."""
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)
