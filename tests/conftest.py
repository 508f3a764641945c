"""What holds for all tests: nothing that passes on a quiet machine may fail on a busy one."""

from hypothesis import HealthCheck, settings

# Both would compare the clock with a limit, which says more of the machine than of the code.
settings.register_profile("held", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("held")
