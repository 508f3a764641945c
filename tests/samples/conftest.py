"""`samples` is a folder of the repository, not of the package: put the repository's root on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
