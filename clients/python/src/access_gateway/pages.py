"""Lists, page by page.

A list that changes meanwhile is no fault: items come once, and those that stay in the list are not skipped. For that,
pages that others moved up are read again. Items without an id (calls of a session) may come twice.
"""

import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

from .calls import Answer
from .generated.models import PageInfo

T = TypeVar("T")


class Walk(Generic[T]):
    """Which page to read next; None: none."""

    def __init__(self, key: Callable[[T], Any] | None) -> None:
        self.page: int | None = 1
        self._key = key
        self._seen: set[Any] = set()
        self._total = 0

    def take(self, items: list[T], info: PageInfo) -> list[T]:
        """The items of this page that are new."""
        assert self.page is not None
        gone, self._total = self._total - info.total, info.total
        if gone > 0 and self._key is not None and info.size > 0:
            # What follows moved up by as many places at most, into pages that were read before.
            self.page = max(1, self.page - math.ceil(gone / info.size))
            return []
        self.page = self.page + 1 if self.page * info.size < info.total else None
        return [item for item in items if self._is_new(item)]

    def _is_new(self, item: T) -> bool:
        if self._key is None:
            return True
        key = self._key(item)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def pages(read: Callable[[int], Answer[Any]], key: Callable[[Any], Any] | None) -> Iterator[Any]:
    walk = Walk[Any](key)
    while walk.page is not None:
        page = read(walk.page).body
        yield from walk.take(page.data, page.pages)


async def async_pages(
    read: Callable[[int], Awaitable[Answer[Any]]], key: Callable[[Any], Any] | None
) -> AsyncIterator[Any]:
    walk = Walk[Any](key)
    while walk.page is not None:
        page = (await read(walk.page)).body
        for item in walk.take(page.data, page.pages):
            yield item
