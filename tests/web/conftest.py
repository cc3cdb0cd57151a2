"""One browser and one window a worker, in which the tests show their pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browser import Phone, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return the browser of this worker."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def phone(browser: Browser) -> Iterator[Phone]:
    """Return a window for all tests, which show their pages in it."""
    phone = Phone(browser, "about:blank")
    yield phone
    phone.close()
