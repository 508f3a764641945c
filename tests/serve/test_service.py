"""The service as its clients see it: a real server, asked over HTTP."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pikepdf
import pytest

from tests.serve.conftest import Served, serving
from tests.serve.small_pdf import write_report
from tests.waiting import PATIENCE


def document(served: Served, id: str) -> dict[str, Any]:
    found: dict[str, Any] = served.client.get(f"/v1/documents/{id}").json()
    return found


def heading(served: Served, id: str, title: str) -> dict[str, Any]:
    found: dict[str, Any] = next(h for h in document(served, id)["headings"] if h["title"] == title)
    return found


def correct(served: Served, id: str, **correction: Any) -> dict[str, Any]:
    version = document(served, id)["version"]
    answer = served.client.post(
        f"/v1/documents/{id}/corrections", params={"version": version}, json=correction
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def fresh(served: Served, report: Path) -> str:
    """A document of one's own."""
    return str(served.settled(served.post(report)["id"])["id"])


def test_a_pdf_becomes_a_document(served: Served, harbour: str) -> None:
    titles = [(h["level"], h["title"]) for h in document(served, harbour)["headings"]]
    assert titles[:4] == [(1, "1 Harbours"), (2, "1.1 Depth"), (2, "1.2 Staff"), (1, "2 Trains")]


def test_progress_is_told_until_the_end(served: Served, report: Path) -> None:
    id = served.post(report)["id"]
    with served.client.stream("GET", f"/v1/jobs/{id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = "".join(stream.iter_text()).strip().split("\n\n")
    last = json.loads(events[-1].split("data: ")[1])
    assert events[-1].startswith("event: end")
    assert last["status"] == "done"


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("json", b'{\n "format": "held.tree"'),
        ("markdown", b"# 1 Harbours"),
        ("html", b"<!doctype html>"),
        ("outline", b"1\t1\t1 Harbours"),
        ("pdf", b"%PDF-"),
        ("labelled", b'{\n "format": "held.labelled"'),
    ],
)
def test_a_result_comes_in_every_form(form: str, beginning: bytes, served: Served, harbour: str) -> None:
    answer = served.client.get(f"/v1/jobs/{harbour}/result", params={"format": form})
    assert answer.status_code == 200
    assert answer.content.lower().startswith(beginning.lower())
    assert "harbour%20report." in answer.headers["content-disposition"]


def test_a_form_that_is_not_known_is_refused(served: Served, harbour: str) -> None:
    assert served.client.get(f"/v1/jobs/{harbour}/result?format=wax").status_code == 422


def test_a_page_is_drawn_at_the_width_that_is_asked_for(served: Served, harbour: str) -> None:
    from PIL import Image

    answer = served.client.get(f"/v1/jobs/{harbour}/pages/2.png?width=400")
    assert Image.open(io.BytesIO(answer.content)).width in (400, 401)
    assert served.client.get(f"/v1/jobs/{harbour}/pages/99.png").status_code == 404


def test_the_objects_of_a_page_have_boxes(served: Served, harbour: str) -> None:
    objects = served.client.get(f"/v1/documents/{harbour}/pages/2").json()["objects"]
    trains = next(o for o in objects if o["text"] == "2 Trains")
    assert trains["heading"]
    assert trains["boxes"][0][0] == pytest.approx(72, abs=3)


def test_a_correction_moves_a_heading_and_can_be_undone_and_redone(served: Served, fresh: str) -> None:
    staff = heading(served, fresh, "1.2 Staff")["object"]
    assert correct(served, fresh, op="promote", object=staff)["can_undo"]
    assert heading(served, fresh, "1.2 Staff")["level"] == 1
    served.client.post(f"/v1/documents/{fresh}/undo?version=1")
    assert heading(served, fresh, "1.2 Staff")["level"] == 2
    served.client.post(f"/v1/documents/{fresh}/redo?version=2")
    assert heading(served, fresh, "1.2 Staff")["fixed"]


def test_a_correction_is_in_all_that_is_exported(served: Served, fresh: str) -> None:
    sheds = heading(served, fresh, "2.2 Sheds")["object"]
    correct(served, fresh, op="rename", object=sheds, text="2.2 Barns")
    correct(served, fresh, op="delete", object=heading(served, fresh, "3 Markets")["object"])
    outline = served.client.get(f"/v1/jobs/{fresh}/result?format=outline").text
    assert "2.2 Barns" in outline
    assert "Markets" not in outline
    pdf = served.client.get(f"/v1/jobs/{fresh}/result?format=pdf").content
    with pikepdf.open(io.BytesIO(pdf)) as opened, opened.open_outline() as bookmarks:
        assert "2.2 Barns" in [str(item.title) for top in bookmarks.root for item in top.children]


def test_the_same_correction_is_offered_for_all_of_a_look(served: Served, fresh: str) -> None:
    depth = heading(served, fresh, "1.1 Depth")["object"]
    assert correct(served, fresh, op="promote", object=depth)["offer"] >= 4


def test_a_change_for_an_older_version_is_a_conflict(served: Served, fresh: str) -> None:
    staff = heading(served, fresh, "1.2 Staff")["object"]
    correct(served, fresh, op="promote", object=staff)
    late = served.client.post(
        f"/v1/documents/{fresh}/corrections?version=0", json={"op": "demote", "object": staff}
    )
    assert late.status_code == 409
    assert "another tab" in late.json()["detail"]


def test_an_outline_replaces_all_headings(served: Served, fresh: str) -> None:
    lines = "1\t1\t1 Harbours\n2\t1\t1.2 Staff\n3\t2\t2 Trains\n"
    answer = served.client.put(f"/v1/documents/{fresh}/outline?version=0", content=lines.encode())
    assert answer.status_code == 200, answer.text
    shown = [(h["level"], h["title"]) for h in document(served, fresh)["headings"]]
    assert shown == [(1, "1 Harbours"), (2, "1.2 Staff"), (3, "2 Trains")]
    assert served.client.put(f"/v1/documents/{fresh}/outline?version=1", content=b"x").status_code == 422


def test_a_checked_document_is_kept_to_teach_from(served: Served, fresh: str) -> None:
    assert served.client.put(f"/v1/documents/{fresh}/checked?version=0").json()["checked"]
    correct(served, fresh, op="delete", object=heading(served, fresh, "2.2 Sheds")["object"])
    assert not document(served, fresh)["checked"]


def test_a_tree_that_is_no_longer_the_shown_one_cannot_be_checked(served: Served, fresh: str) -> None:
    correct(served, fresh, op="delete", object=heading(served, fresh, "2.2 Sheds")["object"])
    assert served.client.put(f"/v1/documents/{fresh}/checked?version=0").status_code == 409
    assert served.client.put(f"/v1/documents/{fresh}/checked?version=1").status_code == 200
    served.client.put(f"/v1/documents/{fresh}/checked?version=1&value=false")  # other tests count them


def test_new_titles_change_no_heading(served: Served, fresh: str) -> None:
    before = document(served, fresh)["headings"]
    for number, shown in enumerate(before):
        correct(served, fresh, op="rename", object=shown["object"], text=f"about {number}, in plain words.")
    after = document(served, fresh)["headings"]
    places = [(shown["object"], shown["parent"]) for shown in before]
    assert [(shown["object"], shown["parent"]) for shown in after] == places
    assert after[0]["title"] == "about 0, in plain words."


def test_a_result_follows_the_corrections(served: Served, fresh: str) -> None:
    result = f"/v1/jobs/{fresh}/result?format=outline"
    before = served.client.get(result).text
    correct(served, fresh, op="delete", object=heading(served, fresh, "2.2 Sheds")["object"])
    assert "2.2 Sheds" in before
    assert "2.2 Sheds" not in served.client.get(result).text


def test_questions_are_answered_from_all_documents(served: Served, harbour: str) -> None:
    hits = served.client.get("/v1/search", params={"q": "ships of the harbour office", "k": 3}).json()
    assert len(hits) == 3
    assert "harbour office" in hits[0]["text"]
    assert served.client.get("/v1/search?q=a&document=none").status_code == 404


@pytest.mark.parametrize(
    ("correction", "code"),
    [({"op": "explode", "object": 1}, 422), ({"op": "promote"}, 422), ({"op": "promote", "object": 0}, 422)],
)
def test_a_correction_that_cannot_be_made_is_422(
    correction: dict[str, Any], code: int, served: Served, harbour: str
) -> None:
    answer = served.client.post(f"/v1/documents/{harbour}/corrections?version=0", json=correction)
    assert (answer.status_code, "detail" in answer.json()) == (code, True)


def test_what_is_no_pdf_is_415(served: Served) -> None:
    answer = served.client.post("/v1/jobs", files={"file": ("a.pdf", b"hello")})
    assert answer.status_code == 415


def test_a_pdf_that_is_broken_fails_with_its_reason(served: Served) -> None:
    answer = served.client.post("/v1/jobs", files={"file": ("../../etc/a.pdf", b"%PDF-1.4 rubbish")})
    job = served.settled(answer.json()["id"])
    assert (job["status"], job["name"]) == ("failed", "a.pdf")
    assert job["reason"]
    assert served.client.get(f"/v1/jobs/{job['id']}/result").status_code == 422


def test_an_upload_that_is_too_large_is_413(served: Served) -> None:
    large = b"%PDF-1.4" + bytes(3 << 20)
    assert served.client.post("/v1/jobs", files={"file": ("a.pdf", large)}).status_code == 413

    def pieces() -> Any:  # a body that does not say how long it is
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
        for _ in range(4):
            yield large[: 1 << 20]

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert served.client.post("/v1/jobs", content=pieces(), headers=headers).status_code == 413


def test_the_limit_is_that_of_the_file_not_of_the_request(served: Served) -> None:
    large = b"%PDF-1.4" + bytes(1 << 20)
    assert served.client.post("/v1/jobs", files={"file": ("a.pdf", large)}).status_code == 413


def test_too_many_pages_are_413(served: Served, tmp_path: Path) -> None:
    job = served.settled(served.post(write_report(tmp_path / "long.pdf", pages=21))["id"])
    assert (job["status"], job["reason"]) == ("failed", "has 21 pages, more than 20")
    assert served.client.get(f"/v1/jobs/{job['id']}/result").status_code == 413


def test_pages_of_other_origins_and_other_names_are_refused(served: Served) -> None:
    assert served.client.get("/v1/jobs", headers={"Origin": "http://evil.example"}).status_code == 403
    assert served.client.get("/v1/jobs", headers={"Host": "evil.example"}).status_code == 403
    own = str(served.client.base_url).rstrip("/")
    assert served.client.get("/v1/jobs", headers={"Origin": own}).status_code == 200


def test_malformed_names_are_400_with_the_headers_of_every_answer(served: Served) -> None:
    for malformed in ({"Host": "[::1"}, {"Origin": "http://[::1"}):
        answer = served.client.get("/v1/jobs", headers=malformed)
        assert answer.status_code == 400
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_no_other_origin_is_ever_allowed(served: Served) -> None:
    answer = served.client.get("/health")
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_health_and_metrics_tell_how_it_is(served: Served, harbour: str) -> None:
    health = served.client.get("/health").json()
    assert (health["status"], health["workers"]) == ("ok", {"alive": 1, "wanted": 1})
    assert 'held_jobs{status="done"}' in served.client.get("/metrics").text


def test_openapi_names_what_can_be_asked(served: Served) -> None:
    paths = served.client.get("/openapi.json").json()["paths"]
    assert {"/v1/jobs", "/v1/jobs/{id}/result", "/v1/documents/{id}/corrections", "/v1/search"} <= set(paths)
    assert served.client.get("/docs").status_code == 200


def test_a_removed_document_is_gone(served: Served, fresh: str) -> None:
    assert served.client.delete(f"/v1/jobs/{fresh}").status_code == 204
    assert served.client.get(f"/v1/jobs/{fresh}").status_code == 404


def test_without_its_token_nothing_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path, "--token", "secret") as served:
        served.client.headers.pop("Authorization")
        assert served.client.get("/v1/jobs").status_code == 401
        assert served.client.get("/health").status_code == 200
        bearer = {"Authorization": "Bearer secret"}
        assert served.client.get("/v1/jobs", headers=bearer).status_code == 200
        assert served.client.get("/login?token=wrong").status_code == 401
        assert served.client.get("/login?token=secret", follow_redirects=False).status_code == 303
        assert served.client.get("/v1/jobs").status_code == 200  # with the cookie


def test_on_this_machine_too_only_who_has_the_address_is_let_in(served: Served) -> None:
    assert "token=" in served.address
    with httpx.Client(base_url=served.client.base_url) as stranger:
        assert stranger.get("/v1/jobs").status_code == 401


def test_a_server_without_a_token_has_to_be_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-token") as served:
        assert "token=" not in served.address
        assert served.client.get("/v1/jobs").status_code == 200


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--token", ""], "the token is empty"),
        (["--token", "a b"], "the token has other characters"),
        (["--token", "schlüssel"], "the token has other characters"),
        (["--token", "a", "--no-token"], "exclude each other"),
        (["--no-token", "--host", "0.0.0.0"], "needs a token"),
    ],
)
def test_a_server_that_would_let_anybody_in_does_not_start(
    options: list[str], reason: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "held", "serve", "--work", str(tmp_path), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert reason in done.stderr


def test_work_goes_on_after_the_server_was_killed(tmp_path: Path, report: Path) -> None:
    with serving(tmp_path, "--queue", "6") as served:
        ids = [served.post(report)["id"] for _ in range(4)]
        done = served.settled(ids[0])["id"]
        shown = document(served, done)["headings"][1]["object"]
        correct(served, done, op="promote", object=shown)
        served.kill()
    with serving(tmp_path) as served:
        assert [served.settled(id)["status"] for id in ids] == ["done"] * 4
        assert document(served, done)["corrections"] == 1
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(timeout=PATIENCE) == 0


def test_a_second_server_names_the_folder_that_is_in_use(tmp_path: Path) -> None:
    with serving(tmp_path):
        second = [sys.executable, "-m", "held", "serve", "--work", str(tmp_path), "--port", "0"]
        ended = subprocess.run(second, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, str(tmp_path) in ended.stderr) == (2, True), ended.stderr


def test_a_full_queue_is_429_and_says_when_to_come_again(tmp_path: Path, report: Path) -> None:
    with serving(tmp_path, "--queue", "1") as served:
        answers = [
            served.client.post("/v1/jobs", files={"file": ("a.pdf", report.read_bytes())}) for _ in range(6)
        ]
    full = [answer for answer in answers if answer.status_code == 429]
    assert full
    assert int(full[0].headers["retry-after"]) > 0


def test_importing_held_loads_nothing_of_the_server() -> None:
    heavy = "fastapi uvicorn starlette"
    script = f"import held, held.cli, sys; print([m for m in {heavy!r}.split() if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_teaching_is_a_job_that_needs_enough_to_learn_from(served: Served, fresh: str) -> None:
    pytest.importorskip("lightgbm", reason="teaching needs the extra train")
    served.client.put(f"/v1/documents/{fresh}/checked?version=0")
    job = served.client.post("/v1/teach").json()
    assert job["kind"] == "teach"
    assert "too little" in served.settled(job["id"])["reason"]
    served.client.put(f"/v1/documents/{fresh}/checked?version=0&value=false")
    assert served.client.post("/v1/teach").status_code == 422
