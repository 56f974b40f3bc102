"""Where things are."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def examples() -> Path:
    """The models of the repository."""
    return ROOT / "examples"
