"""What holds for all tests: what passes on a quiet machine passes on a busy one, and again tomorrow."""

import os

from hypothesis import HealthCheck, settings

# What people have set for themselves is no part of what is tested: colours and widths, and our own variables.
_SETTINGS = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "RAY_ADDRESS", "XDG_DATA_HOME")
for _name in (*_SETTINGS, "HELD_PASSWORD", "HELD_TOKEN", "HELD_LIMITS"):
    os.environ.pop(_name, None)

# Deadlines compare the clock with a limit, which says more of the machine than of the code. The examples are
# the same in every run, so that a red run speaks of the change it ran for; `make hunt` looks for new ones.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("held", _PATIENT, derandomize=True)
settings.register_profile("hunt", _PATIENT, max_examples=2000)
settings.load_profile("held")
