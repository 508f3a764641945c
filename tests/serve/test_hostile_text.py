"""Documents whose text holds what nobody can encode, or what shows it in another order."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from held.exports.formats import FORMATS
from tests.serve.conftest import Served, serving

HOSTILE = "\ud800\u202e\x1b"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, report: Path) -> Iterator[tuple[Served, str]]:
    """A server, and a document with hostile characters in every text."""
    work = tmp_path_factory.mktemp("hostile")
    with serving(work) as served:
        job = served.settled(served.post(report)["id"])["id"]
        tree = work / "trees" / f"{job}.json"
        value = json.loads(tree.read_text("utf-8"))
        for item in value["document"]["objects"]:
            item["text"] += HOSTILE
        for page in value["document"]["pages"]:
            page["label"] = HOSTILE
        tree.write_text(json.dumps(value))
        yield served, job


@pytest.mark.parametrize(
    "route",
    [
        "/v1/documents/{id}",
        "/v1/documents/{id}/pages/1",
        "/v1/documents/{id}/objects/1",
        "/v1/documents/{id}/corrections",
        "/v1/search?q=harbour",
        *(f"/v1/jobs/{{id}}/result?format={name}" for name in FORMATS),
    ],
)
def test_every_route_answers(hostile: tuple[Served, str], route: str) -> None:
    served, id = hostile
    assert served.client.get(route.format(id=id)).status_code == 200


def test_what_the_page_shows_has_no_controls_and_keeps_its_length(hostile: tuple[Served, str]) -> None:
    served, id = hostile
    document = served.client.get(f"/v1/documents/{id}").json()
    assert document["headings"][0]["title"] == "1 Harbours" + "\ufffd" * len(HOSTILE)
    shown = served.client.get(f"/v1/documents/{id}/objects/0").json()["text"]
    assert shown.endswith("\ufffd" * len(HOSTILE))


def test_the_answer_to_a_correction_has_no_controls(hostile: tuple[Served, str]) -> None:
    served, id = hostile
    heading = served.client.get(f"/v1/documents/{id}").json()["headings"][0]["object"]
    correction = {"op": "delete", "object": heading}
    answer = served.client.post(f"/v1/documents/{id}/corrections?version=0", json=correction)
    assert answer.status_code == 200
    assert answer.json()["alike"]
    assert not {*HOSTILE} & {*answer.text}
    served.client.post(f"/v1/documents/{id}/undo?version=1")


@pytest.mark.parametrize("body", [r'{"op":"rename","object":0,"text":"a\ud800"}', r'{"op":"\ud800"}'])
def test_half_a_character_in_a_correction_is_422(hostile: tuple[Served, str], body: str) -> None:
    served, id = hostile
    headers = {"Content-Type": "application/json"}
    version = served.client.get(f"/v1/documents/{id}").json()["version"]
    path = f"/v1/documents/{id}/corrections?version={version}"
    assert served.client.post(path, content=body, headers=headers).status_code == 422
    assert served.client.get(f"/v1/documents/{id}").json()["version"] == version
