"""What all routes share: how to get at the server, at a job and at a document that has a tree."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from held.serve.server import Server
from held.serve.store import Job, Status


def server_of(request: Request) -> Server:
    """The server behind the application."""
    server = request.app.state.server
    assert isinstance(server, Server)
    return server


ServerOf = Annotated[Server, Depends(server_of)]


def job_of(id: str, server: ServerOf) -> Job:
    """The job that a path names."""
    try:
        return server.store.job(id)
    except KeyError:
        raise HTTPException(404, f"there is no job {id!r}") from None


JobOf = Annotated[Job, Depends(job_of)]


def document_of(job: JobOf) -> Job:
    """The job that a path names, which must have ended well."""
    if job.status == Status.FAILED:
        raise HTTPException(job.code or 422, job.reason)
    if not job.has_result:
        raise HTTPException(409, f"the job is {job.status}")
    return job


DocumentOf = Annotated[Job, Depends(document_of)]
