"""Closes connections whose request does not arrive: uvicorn itself waits for a request line for ever.

A client that opens connections and sends half a header would otherwise keep each of them, and the memory
behind it. Slow bodies are the middleware's concern.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 20.0  # from the first byte, or the opening of the connection, to the end of the header


class HeaderTimeoutProtocol(H11Protocol):
    """An HTTP connection that must send its request header in time."""

    _timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Starts the clock: a client that connects has something to ask."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Stops the clock once a header is complete."""
        super().data_received(data)
        waits_for_header = self.conn.their_state is h11.IDLE
        if not waits_for_header:
            self._stop_timer()
        elif self._timer is None:  # the next request of a connection that is kept
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops the clock."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(HEADER_SECONDS, self._close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        transport: Any = self.transport
        transport.close()
