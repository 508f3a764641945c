"""Which letters are written from right to left.

A module of its own, for the process that reads asks it too, and must start without the modules of documents.
"""

from __future__ import annotations

import re

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")  # Hebrew, Arabic and their kin
