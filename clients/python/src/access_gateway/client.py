"""The two clients: one for programs with asyncio, one for those without."""

import asyncio
import inspect
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Self

import httpx

from .calls import Request
from .errors import error_of
from .generated.api import AllOperations, AsyncAllOperations
from .recordings import AsyncRecordings, Recordings
from .retries import Retries
from .version import __version__

TokenProvider = Callable[[str | None], str]
"""Gives the token of a request: an access token of the identity provider, or an API key.

Called before each attempt with None: it keeps the token itself, as long as it is good. After a 401 it is called once
more, with the token that was refused; another one is tried once, for the request was not carried out.
"""

TOKEN = re.compile(r"[\x21-\x7e]+")
"""Printable characters without spaces."""

AsyncTokenProvider = Callable[[str | None], str | Awaitable[str]]


@dataclass(frozen=True)
class Call:
    """A request to one gateway."""

    address: str
    request: Request
    timeout: httpx.Timeout | None

    def build(self, http: httpx.Client | httpx.AsyncClient, token: str | None) -> httpx.Request:
        headers = {"User-Agent": f"access-gateway-python/{__version__}", **self.request.headers}
        if token is not None:
            if TOKEN.fullmatch(token) is None:
                # What is said of a header that cannot be sent shows the whole of it.
                raise ValueError("the credential is no token: it has spaces, line breaks or other such characters")
            headers["Authorization"] = f"Bearer {token}"
        return http.build_request(
            self.request.method,
            self.address + self.request.path,
            params=dict(self.request.params),
            headers=headers,
            json=self.request.body,
            timeout=httpx.USE_CLIENT_DEFAULT if self.timeout is None else self.timeout,
        )


class Gateway(Recordings, AllOperations):
    """A client of the API at that address, such as https://gateway.example.com/api.

    It may be used by several threads at once. It is closed by `close()`, or as a context manager.
    """

    def __init__(
        self,
        address: str,
        credential: str | TokenProvider | None = None,
        *,
        retries: Retries = Retries(),
        http: httpx.Client | None = None,
    ) -> None:
        """
        credential: an API key or access token, or what gives one; None: public routes only
        http: for proxies, certificates and time limits; the default waits 60 s for an answer
        """
        self._address = checked(address)
        self._credential = credential
        self._retries = retries
        self._http = http or httpx.Client(timeout=60)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _open(self, request: Request, timeout: httpx.Timeout | None = None) -> Iterator[httpx.Response]:
        response = self._send(Call(self._address, request, timeout))
        try:
            if not response.is_success:
                response.read()
                raise error_of(response)
            yield response
        finally:
            response.close()

    def _send(self, call: Call) -> httpx.Response:
        attempt = 1
        while True:
            outcome: httpx.Response | httpx.HTTPError
            try:
                outcome = self._signed_in(call)
            except httpx.HTTPError as error:
                outcome = error
            wait = self._retries.wait(attempt, call.request.method, outcome)
            if wait is None:
                return outcome_of(outcome)
            if isinstance(outcome, httpx.Response):
                outcome.close()
            time.sleep(wait)
            attempt += 1

    def _signed_in(self, call: Call) -> httpx.Response:
        token = self._token(None)
        response = self._http.send(call.build(self._http, token), stream=True, follow_redirects=False)
        if response.status_code != 401 or not callable(self._credential):
            return response
        other = self._token(token)
        if other == token:
            return response
        response.close()
        return self._http.send(call.build(self._http, other), stream=True, follow_redirects=False)

    def _token(self, refused: str | None) -> str | None:
        return self._credential(refused) if callable(self._credential) else self._credential


class AsyncGateway(AsyncRecordings, AsyncAllOperations):
    """`Gateway` for programs with asyncio."""

    def __init__(
        self,
        address: str,
        credential: str | AsyncTokenProvider | None = None,
        *,
        retries: Retries = Retries(),
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._address = checked(address)
        self._credential = credential
        self._retries = retries
        self._http = http or httpx.AsyncClient(timeout=60)

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @asynccontextmanager
    async def _open(
        self, request: Request, timeout: httpx.Timeout | None = None
    ) -> AsyncIterator[httpx.Response]:
        response = await self._send(Call(self._address, request, timeout))
        try:
            if not response.is_success:
                await response.aread()
                raise error_of(response)
            yield response
        finally:
            await response.aclose()

    async def _send(self, call: Call) -> httpx.Response:
        attempt = 1
        while True:
            outcome: httpx.Response | httpx.HTTPError
            try:
                outcome = await self._signed_in(call)
            except httpx.HTTPError as error:
                outcome = error
            wait = self._retries.wait(attempt, call.request.method, outcome)
            if wait is None:
                return outcome_of(outcome)
            if isinstance(outcome, httpx.Response):
                await outcome.aclose()
            await asyncio.sleep(wait)
            attempt += 1

    async def _signed_in(self, call: Call) -> httpx.Response:
        token = await self._token(None)
        response = await self._http.send(call.build(self._http, token), stream=True, follow_redirects=False)
        if response.status_code != 401 or not callable(self._credential):
            return response
        other = await self._token(token)
        if other == token:
            return response
        await response.aclose()
        return await self._http.send(call.build(self._http, other), stream=True, follow_redirects=False)

    async def _token(self, refused: str | None) -> str | None:
        if not callable(self._credential):
            return self._credential
        given = self._credential(refused)
        return await given if inspect.isawaitable(given) else given


def checked(address: str) -> str:
    url = httpx.URL(address)
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("the address of the API must begin with https:// or http://")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("the address of the API must not have a user, a query or a fragment")
    return address.rstrip("/")


def outcome_of(outcome: httpx.Response | httpx.HTTPError) -> httpx.Response:
    if isinstance(outcome, httpx.HTTPError):
        raise outcome
    return outcome
