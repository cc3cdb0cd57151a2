"""A part of a pack's file as the engine is handed it: its own keys, functions under `#when`, `#do` and the like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Spec = Mapping[str, Any]
