"""A small driver of headless Chromium: the DevTools protocol over a pipe.

With `--remote-debugging-pipe` the browser reads commands from descriptor 3 and writes answers to 4, as JSON
ended by NUL. So no port, no websocket and no driver program is needed, and the browser ends with its pipe.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.waiting import LOOKS, PATIENCE, SECONDS_BETWEEN_LOOKS, eventually

ARGUMENTS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-sync",
    "--in-process-gpu",
    "--hide-scrollbars",
    "--mute-audio",
)
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, "")}
KEYS |= {"ArrowRight": (39, ""), "ArrowDown": (40, ""), "Tab": (9, "")}
SHIFT = 8


class BrowserError(Exception):
    """The browser refused a command, or did not answer."""


@dataclass
class Browser:
    """A running browser. Events that come while an answer is awaited are kept in `events`."""

    process: subprocess.Popen[bytes]
    to_browser: int
    from_browser: int
    events: list[dict[str, Any]] = field(default_factory=list)
    _last: int = 0
    _unread: bytes = b""

    def command(self, method: str, session: str | None = None, **params: Any) -> dict[str, Any]:
        """What the browser answers."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._last:
            self.events.append(answer)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            if not self._has_spoken():
                raise BrowserError("Chromium did not answer")
            piece = os.read(self.from_browser, 1 << 20)
            if not piece:
                raise BrowserError("Chromium ended")
            self._unread += piece
        line, self._unread = self._unread.split(b"\0", 1)
        message: dict[str, Any] = json.loads(line)
        return message

    def _has_spoken(self) -> bool:
        """Whether Chromium says something at last, or ends."""
        looks = (select.select([self.from_browser], [], [], SECONDS_BETWEEN_LOOKS) for _ in range(LOOKS))
        return any(readable for readable, _, _ in looks)

    def tab(self) -> Tab:
        """A new tab, ready to go to a page."""
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            tab.command(f"{domain}.enable")
        return tab


@dataclass(frozen=True)
class Tab:
    """One tab of the browser."""

    browser: Browser
    session: str

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        return self.browser.command(method, self.session, **params)

    def go(self, url: str, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Loads a page into a window of this size; what was seen before is forgotten."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.command("Emulation.setDeviceMetricsOverride", **size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", features=[scheme])
        self.browser.events.clear()
        self.command("Page.navigate", url=url)
        page, _, _ = url.partition("#")
        page, _, _ = page.partition("login?")  # the server sends whoever has the token on to the page
        there = f"location.href.startsWith({json.dumps(page)})"
        self.until(f"{there} && document.readyState === 'complete'")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives, as JSON has it."""
        answer = self.command(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, condition: str) -> None:
        """Waits until a JavaScript expression is true."""
        if not eventually(lambda: bool(self.value(condition))):
            raise BrowserError(f"never came true: {condition}")

    def press(self, *keys: str) -> None:
        """Presses keys one after another, as a person would: `j`, `?`, `Enter`, `shift+Enter` …"""
        for name in keys:
            key = name.removeprefix("shift+")
            code, text = KEYS.get(key, (ord(key[0].upper()), key))
            held = SHIFT if key != name or key.isupper() else 0
            event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": held}
            self.command("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
            self.command("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector: str) -> None:
        """Clicks in the middle of the first element that matches."""
        middle = "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        x, y = self.value(f"{middle}(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def drag(self, source: str, target: str) -> None:
        """Drags the first element that matches to the middle of another one."""
        middle = "(b => [b.x + b.width / 2, b.y + b.height / 2])"
        way = [
            self.value(f"{middle}(document.querySelector({json.dumps(name)}).getBoundingClientRect())")
            for name in (source, target)
        ]
        steps = [("mouseMoved", 0, 0), ("mousePressed", 0, 1), ("mouseMoved", 1, 1), ("mouseReleased", 1, 0)]
        for kind, place, buttons in steps:
            x, y = way[place]
            event = {"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1}
            self.command("Input.dispatchMouseEvent", **event)

    def write(self, text: str) -> None:
        """Puts text where the focus is."""
        self.command("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        image = self.command("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(image))

    def seen(self, method: str) -> list[Mapping[str, Any]]:
        """The events of this kind so far."""
        self.value("0")
        events = [event for event in self.browser.events if event.get("sessionId") == self.session]
        return [event["params"] for event in events if event["method"] == method]


@contextmanager
def running(program: str, profile: Path) -> Iterator[Browser]:
    """Chromium with a profile of its own, ended with all its children afterwards."""
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    ours, theirs = _pipe(), _pipe()
    wired = f'exec "$0" "$@" 3</dev/fd/{ours[0]} 4>/dev/fd/{theirs[1]}'
    command = ["sh", "-c", wired, program, *ARGUMENTS, *sandbox, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        command,
        pass_fds=(ours[0], theirs[1]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(ours[0])
    os.close(theirs[1])
    try:
        yield Browser(process, ours[1], theirs[0])
    finally:
        os.close(ours[1])
        os.close(theirs[0])
        _end(process)


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are out of the way of the descriptors 3 and 4."""
    low = os.pipe()
    high = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in low)
    for end in low:
        os.close(end)
    return high[0], high[1]


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=5)  # it ends by itself when its pipe closes
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait(timeout=PATIENCE)
