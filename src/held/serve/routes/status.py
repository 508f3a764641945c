"""How the server is: for those who watch it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from held import __version__
from held.serve.results import formats
from held.serve.routes.common import ServerOf
from held.serve.server import Server
from held.serve.store import Status

router = APIRouter(tags=["status"])


@router.get("/health")
def health() -> dict[str, str]:
    """That the server answers."""
    return {"status": "ok", "version": __version__}


@router.get("/v1/about")
def about(server: ServerOf) -> dict[str, Any]:
    """What the server can do: forms of results, models, limits."""
    limits = server.settings.limits
    return {
        "version": __version__,
        "formats": formats(),
        "models": server.models(),
        "limits": {"upload": limits.upload, "pages": limits.pages, "seconds": limits.seconds},
    }


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(server: ServerOf) -> str:
    """Counts for Prometheus."""
    return "\n".join(_metrics(server)) + "\n"


def _metrics(server: Server) -> Iterator[str]:
    yield "# TYPE held_jobs gauge"
    for status in Status:
        yield f'held_jobs{{status="{status}"}} {server.store.count(status)}'
    done = [job for job in server.store.jobs() if job.has_result]
    yield "# TYPE held_pages_total counter"
    yield f"held_pages_total {sum(job.pages for job in done)}"
    yield "# TYPE held_work_seconds_total counter"
    spent = sum((job.finished or 0) - (job.started or 0) for job in done)
    yield f"held_work_seconds_total {spent:.3f}"
    yield "# TYPE held_uptime_seconds gauge"
    yield f"held_uptime_seconds {time.time() - server.started:.0f}"
    yield "# TYPE process_resident_memory_bytes gauge"
    yield f"process_resident_memory_bytes {_resident_bytes()}"


def _resident_bytes() -> int:
    """The memory that this process holds, 0 where the system does not tell."""
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
