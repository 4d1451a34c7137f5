"""Sessions and their recordings, beyond what one request reads."""

import asyncio
import datetime
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from uuid import UUID

import httpx

from .events import Event, Reading, SessionEnd, event_of
from .generated.api.sessions import AsyncSessions, Sessions, _get_session, _stream_session
from .generated.models import GetSessionExpandItem, ListSessionsCount, SessionPage, SessionView
from .generated.types import UNSET
from .retries import Retries

# A list of sessions is read to this offset; further by the time of its last session.
SESSIONS_ON_PAGE = 100
LARGEST_OFFSET = 10_000
MILLISECOND = datetime.timedelta(milliseconds=1)

STREAM = httpx.Timeout(60)
"""While a session says nothing, the gateway sends a comment every 15 s."""


class Recordings(Sessions):
    _retries: Retries

    def all_sessions(self, **filters: Any) -> Iterator[SessionView]:
        """The sessions that match, newest first, however many there are. Those that begin meanwhile are not among them.

        filters: the parameters of `list_sessions`, but for `limit` and `offset`
        """
        walk = SessionWalk(filters)
        while not walk.is_over:
            yield from walk.take(self.list_sessions(**walk.parameters()).body)

    def recording(self, session_id: UUID | str) -> list[Event]:
        """What was recorded of a session until now. `follow` needs less memory."""
        answer = self.get_session(session_id, expand=[GetSessionExpandItem.EVENT_STREAM])
        return [event_of(triple) for triple in answer.body.event_stream]

    def follow(self, session_id: UUID | str, last_event_id: str = "") -> "Stream":
        """Follows a recording from its start, or after the event with that id: `last_event_id` of an earlier stream."""
        return Stream(self, session_id, last_event_id)

    @contextmanager
    def download(self, session_id: UUID | str, extension: str, **parameters: Any) -> Iterator[httpx.Response]:
        """The recording as a file: csv, json, cast, evidence, or any other extension for the plain content.

        with gateway.download(session_id, "csv") as file:
            for piece in file.iter_bytes(): ...
        """
        request = _get_session.request(session_id, extension=extension, **parameters)
        with self._open(request, STREAM) as response:
            yield response


class AsyncRecordings(AsyncSessions):
    """`Recordings` for programs with asyncio."""

    _retries: Retries

    async def all_sessions(self, **filters: Any) -> AsyncIterator[SessionView]:
        walk = SessionWalk(filters)
        while not walk.is_over:
            for session in walk.take((await self.list_sessions(**walk.parameters())).body):
                yield session

    async def recording(self, session_id: UUID | str) -> list[Event]:
        answer = await self.get_session(session_id, expand=[GetSessionExpandItem.EVENT_STREAM])
        return [event_of(triple) for triple in answer.body.event_stream]

    def follow(self, session_id: UUID | str, last_event_id: str = "") -> "AsyncStream":
        return AsyncStream(self, session_id, last_event_id)

    @asynccontextmanager
    async def download(
        self, session_id: UUID | str, extension: str, **parameters: Any
    ) -> AsyncIterator[httpx.Response]:
        request = _get_session.request(session_id, extension=extension, **parameters)
        async with self._open(request, STREAM) as response:
            yield response


class Followed:
    """What streams of both kinds tell."""

    def __init__(self, session_id: UUID | str, last_event_id: str) -> None:
        self._session_id = session_id
        self._reading = Reading(last_event_id)
        self._idle = 0

    @property
    def last_event_id(self) -> str:
        """Id of the last event that came, to follow on from there later; empty before the first one."""
        return self._reading.delivered

    @property
    def end(self) -> SessionEnd | None:
        """How the session ended; None before, and if that was told to an earlier stream."""
        return self._reading.end

    def _request(self) -> Any:
        self._reading.begin()
        return _stream_session.request(self._session_id, last_event_id=self._reading.received or UNSET)

    def _wait(self, before: str, fault: httpx.TransportError, retries: Retries) -> float:
        """Seconds to wait before the next answer is asked for; raises the fault if too many had nothing new."""
        self._idle = self._idle + 1 if self._reading.received == before else 0
        if self._idle >= retries.attempts:
            raise fault
        return retries.back_off(self._idle + 1)


def cut() -> httpx.TransportError:
    return httpx.RemoteProtocolError("the stream ended before the session")


class Stream(Followed):
    """Iterates over the events of a session until it ends: each comes once, whole.

    An answer that is cut is continued where it was cut. The fault is raised when nothing new came in as many answers as
    a request has attempts.
    """

    def __init__(self, gateway: Recordings, session_id: UUID | str, last_event_id: str) -> None:
        super().__init__(session_id, last_event_id)
        self._gateway = gateway

    def __iter__(self) -> Iterator[Event]:
        while not self._reading.is_over:
            before, fault = self._reading.received, cut()
            try:
                with self._gateway._open(self._request(), STREAM) as response:
                    if response.status_code == 204:
                        return
                    for line in response.iter_lines():
                        event = self._reading.take(line)
                        if event is not None:
                            yield event
                        if self._reading.is_over:
                            return
            except httpx.TransportError as error:
                fault = error
            time.sleep(self._wait(before, fault, self._gateway._retries))


class AsyncStream(Followed):
    """`Stream` for programs with asyncio."""

    def __init__(self, gateway: AsyncRecordings, session_id: UUID | str, last_event_id: str) -> None:
        super().__init__(session_id, last_event_id)
        self._gateway = gateway

    async def __aiter__(self) -> AsyncIterator[Event]:
        while not self._reading.is_over:
            before, fault = self._reading.received, cut()
            try:
                async with self._gateway._open(self._request(), STREAM) as response:
                    if response.status_code == 204:
                        return
                    async for line in response.aiter_lines():
                        event = self._reading.take(line)
                        if event is not None:
                            yield event
                        if self._reading.is_over:
                            return
            except httpx.TransportError as error:
                fault = error
            await asyncio.sleep(self._wait(before, fault, self._gateway._retries))


class SessionWalk:
    """Which part of the list of sessions to read next."""

    def __init__(self, filters: dict[str, Any]) -> None:
        self.is_over = False
        self._filters = {"count": ListSessionsCount.NONE, **filters}
        self._offset = 0
        self._seen: dict[Any, datetime.datetime] = {}

    def parameters(self) -> dict[str, Any]:
        return {**self._filters, "limit": SESSIONS_ON_PAGE, "offset": self._offset}

    def take(self, page: SessionPage) -> list[SessionView]:
        """The sessions of this page that are new."""
        new = [session for session in page.data if session.id not in self._seen]
        self._seen.update({session.id: session.start_date for session in new})
        self.is_over = not page.has_next_page
        if page.data and "end_date" not in self._filters:
            # New sessions would shift the pages.
            self._filters["end_date"] = page.data[0].start_date + MILLISECOND
        self._offset += SESSIONS_ON_PAGE
        if self._offset > LARGEST_OFFSET and not self.is_over:
            self._continue_at(page.data[-1].start_date)
        return new

    def _continue_at(self, start: datetime.datetime) -> None:
        """Times are shown in whole milliseconds, and may be finer."""
        end = start + MILLISECOND
        if end >= self._filters["end_date"]:
            raise ValueError("more than 10 000 sessions began at one time: narrow the list down")
        self._filters["end_date"], self._offset = end, 0
        self._seen = {id: started for id, started in self._seen.items() if started <= end}
