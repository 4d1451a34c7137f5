"""How a request is sent, and its answer read."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One call of an operation; `path` is escaped."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """Sent as JSON; None: the request has no body."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What the gateway answered."""

    body: T
    """None where the answer has none (204)."""
    status: int
    """Tells apart what one operation may answer, such as 200 and 202."""
    headers: httpx.Headers

    @property
    def etag(self) -> str:
        """The version of the resource, for `if_match`; empty if it has none."""
        return str(self.headers.get("etag", ""))

    @property
    def request_id(self) -> str:
        """Finds the request in the gateway's log."""
        return str(self.headers.get("x-request-id", ""))


class Operations(ABC):
    """What operations are made of, for programs without asyncio."""

    @abstractmethod
    def _open(
        self, request: Request, timeout: httpx.Timeout | None = None
    ) -> AbstractContextManager[httpx.Response]:
        """A successful answer, to be read by the caller; the default time limits are those of the client."""

    def _call(self, request: Request, read: Callable[[Any], T]) -> Answer[T]:
        with self._open(request) as response:
            response.read()
            return answer_of(response, read)


class AsyncOperations(ABC):
    """What operations are made of, for programs with asyncio."""

    @abstractmethod
    def _open(
        self, request: Request, timeout: httpx.Timeout | None = None
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """A successful answer, to be read by the caller; the default time limits are those of the client."""

    async def _call(self, request: Request, read: Callable[[Any], T]) -> Answer[T]:
        async with self._open(request) as response:
            await response.aread()
            return answer_of(response, read)


def answer_of(response: httpx.Response, read: Callable[[Any], T]) -> Answer[T]:
    body = response.json() if response.content else None
    return Answer(read(body), response.status_code, response.headers)
