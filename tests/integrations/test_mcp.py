"""What an assistant gets: the reason of an error, and an answer to every request."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from held.errors import InputError
from held.integrations.mcp import RequestStream, replace_lone_surrogates, report_errors
from tests.serve.small_pdf import write_report
from tests.waiting import PATIENCE

HELLO = {
    "protocolVersion": "2024-11-05",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "0"},
}


class ToolError(Exception):
    """The protocol library's error, which is shown to the assistant."""


def test_the_reason_of_an_error_is_told() -> None:
    def outline(path: str) -> None:
        raise InputError("no such file", file=path)

    with pytest.raises(ToolError, match=r"^a\.pdf: no such file$"):
        report_errors(outline, ToolError)("a.pdf")


def test_a_fault_of_ours_is_told_too() -> None:
    def outline() -> None:
        raise KeyError("x")

    with pytest.raises(ToolError, match=r"^a fault in held: KeyError\('x'\)$"):
        report_errors(outline, ToolError)()


def test_texts_that_cannot_be_sent_are_replaced() -> None:
    def outline() -> list[dict[str, Any]]:
        return [{"title": "1 Ships\ud800\x1b", "path": ("\udfff",)}]

    assert report_errors(outline, ToolError)() == [{"title": "1 Ships\ufffd\ufffd", "path": ["\ufffd"]}]


def test_the_library_sees_the_parameters_of_a_tool() -> None:
    import inspect

    def outline(path: str, max_depth: int | None = None) -> None:
        """The headings."""

    tool = report_errors(outline, ToolError)
    assert inspect.signature(tool) == inspect.signature(outline)
    assert tool.__doc__ == "The headings."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (rb'{"q": "a\ud800"}', '{"q": "a?"}'),
        (rb'{"q": "\ud83d\ude00 \udc00"}', '{"q": "😀 ?"}'),
        (rb'{"q": "\\ud800"}', '{"q": "\\\\ud800"}'),  # an escaped backslash
        (b'{"q": "a"}', '{"q": "a"}'),
        (rb"[\ud800", r"[\ud800"),  # not JSON: the library answers it
    ],
)
def test_only_halves_of_surrogate_pairs_are_replaced(line: bytes, expected: str) -> None:
    assert replace_lone_surrogates(line).decode().rstrip() == expected


def test_requests_pass_in_any_pieces() -> None:
    lines = b'{"q": "\\ud800"}\n' + b'{"q": "' + b"x" * 100_000 + b'"}\n'
    stream = io.BufferedReader(RequestStream(io.BytesIO(lines)))
    assert [json.loads(line)["q"][:3] for line in stream] == ["?", "xxx"]


def test_the_command_answers_with_reasons_and_never_remains_silent(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="`make test-serve` installs mcp")
    report = str(write_report(tmp_path / "a.pdf"))
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.4 torn")
    calls = [
        ("outline", {"path": "/etc/passwd"}),
        ("outline", {"path": str(tmp_path / "torn.pdf")}),
        ("section", {"path": report, "title": "\ud800"}),
        ("search", {"path": report, "query": "harbour \ud800"}),
    ]
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    for number, (name, arguments) in enumerate(calls, start=1):
        call = {"name": name, "arguments": arguments}
        messages.append({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
    command = [sys.executable, "-m", "held", "mcp", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(len(calls) + 1)]
        process.stdin.close()
        process.wait(timeout=PATIENCE)
    texts = {answer["id"]: json.dumps(answer["result"]) for answer in answers}
    assert "is not below a folder that was given" in texts[1]
    assert "is too damaged to read" in texts[2]
    assert "no section is called" in texts[3]
    assert "harbour office" in texts[4]
