"""The Python of README, docs and skill is type-checked: whoever copies it into typed code gets no error."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/api.md",
    "skills/held/SKILL.md",
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs" / "guides").glob("*.md")),
)
# What earlier examples of a page have made.
BEFORE = 'import held\ndoc = held.extract("report.pdf")\n'
OPTIONS = ("--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--no-error-summary")


def test_examples_are_typed(tmp_path: Path) -> None:
    files = []
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for number, example in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL)):
            file = tmp_path / f"{re.sub(r'[^a-zA-Z]', '_', page)}_{number}.py"
            file.write_text(BEFORE + example, encoding="utf-8")
            files.append(str(file))
    assert len(files) > 10
    cache = f"--cache-dir={tmp_path / 'cache'}"
    command = [sys.executable, "-m", "mypy", *OPTIONS, cache, *files]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "src", check=False)
    assert checked.stdout == ""
