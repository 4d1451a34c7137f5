import datetime
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from uuid import UUID

import httpx

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.approved_exec_body import ApprovedExecBody
from ...models.download_link_body import DownloadLinkBody
from ...models.download_link_view import DownloadLinkView
from ...models.exec_body import ExecBody
from ...models.exec_view import ExecView
from ...models.get_session_event_stream import GetSessionEventStream
from ...models.get_session_event_time import GetSessionEventTime
from ...models.get_session_events_item import GetSessionEventsItem
from ...models.get_session_expand_item import GetSessionExpandItem
from ...models.get_session_new_line import GetSessionNewLine
from ...models.ledger_verification_view import LedgerVerificationView
from ...models.list_sessions_count import ListSessionsCount
from ...models.list_sessions_review_after_review import ListSessionsReviewAfterReview
from ...models.list_sessions_review_status import ListSessionsReviewStatus
from ...models.list_sessions_status import ListSessionsStatus
from ...models.list_sessions_verb import ListSessionsVerb
from ...models.retention_run_view import RetentionRunView
from ...models.retention_view import RetentionView
from ...models.session_call_page import SessionCallPage
from ...models.session_call_view import SessionCallView
from ...models.session_hold_body import SessionHoldBody
from ...models.session_metadata_body import SessionMetadataBody
from ...models.session_page import SessionPage
from ...models.session_verification_view import SessionVerificationView
from ...models.session_view import SessionView
from ...types import UNSET, Unset
from . import create_download_link as _create_download_link
from . import create_session as _create_session
from . import download_session as _download_session
from . import exec_session as _exec_session
from . import get_retention as _get_retention
from . import get_session as _get_session
from . import kill_session as _kill_session
from . import list_session_calls as _list_session_calls
from . import list_sessions as _list_sessions
from . import set_session_hold as _set_session_hold
from . import start_retention_run as _start_retention_run
from . import stream_session as _stream_session
from . import update_session_metadata as _update_session_metadata
from . import verify_session as _verify_session
from . import verify_session_ledger as _verify_session_ledger


class Sessions(Operations):
    def verify_session_ledger(
        self,
        *,
        from_: int | Unset = UNSET,
        to: int | Unset = UNSET,
    ) -> Answer[LedgerVerificationView]:
        """Verify the ledger of sessions.

        Each session has entries in a ledger: numbered without gaps, linked by hash and signed. This
        verifies the entries, and compares the row of each session with them. It finds edited and removed
        rows, missing and moved entries, and an end that was cut off since it was noted on the audit log.
        Recordings are not read; `GET /sessions/{session_id}/verify` does that.

        For auditors and admins.
        """

        return self._call(
            _verify_session_ledger.request(
                from_=from_,
                to=to,
            ),
            _verify_session_ledger.read,
        )

    def verify_session(
        self,
        session_id: UUID | str,
    ) -> Answer[SessionVerificationView]:
        """Verify a session and its recording.

        For its owner, auditors and admins. Reads the whole recording, and compares the session with its
        entries in the ledger. `GET /sessions/{session_id}?extension=evidence` is the same to be verified
        offline.

        For all signed-in callers.
        """

        return self._call(
            _verify_session.request(
                session_id,
            ),
            _verify_session.read,
        )

    def get_session(
        self,
        session_id: UUID | str,
        *,
        event_time: GetSessionEventTime | Unset = GetSessionEventTime.VALUE_0,
        new_line: GetSessionNewLine | Unset = GetSessionNewLine.VALUE_0,
        event_stream: GetSessionEventStream | Unset = UNSET,
        events: list[GetSessionEventsItem] | Unset = UNSET,
        expand: list[GetSessionExpandItem] | Unset = UNSET,
        extension: str | Unset = UNSET,
    ) -> Answer[SessionView]:
        """Get a session, or its recording as a file.

        For all signed-in callers.
        """

        return self._call(
            _get_session.request(
                session_id,
                event_time=event_time,
                new_line=new_line,
                event_stream=event_stream,
                events=events,
                expand=expand,
                extension=extension,
            ),
            _get_session.read,
        )

    def stream_session(
        self,
        session_id: UUID | str,
        *,
        last_event_id: str | Unset = UNSET,
    ) -> AbstractContextManager[httpx.Response]:
        """Follow the recording of a session.

        A stream of server-sent events: the recording from its start, or after the message that `Last-Event-
        ID` names, then what is recorded meanwhile, wherever the session runs.

        - `message`: its data is a triple `[time, type, content]` as in `event_stream`: milliseconds since
        the start, `i`, `o` or `e`, base64. A large event comes in several messages: a fourth element,
        `true`, says that it goes on in the next one.
        - `end`: the last one, with the data `{ status, exit_code, end_date }`.

        After 15 minutes, when the gateway stops, and when the reader may no longer read, the answer ends
        without `end`: ask again with the last id. A request after `end` gets 204, which tells an
        EventSource to stay away. For the owner of the session, auditors and admins; each may follow 10
        sessions at a time.

        For all signed-in callers.
        """

        return self._open(
            _stream_session.request(
                session_id,
                last_event_id=last_event_id,
            )
        )

    def create_download_link(
        self,
        session_id: UUID | str,
        body: DownloadLinkBody,
    ) -> Answer[DownloadLinkView]:
        """Create a link for a browser to download the recording, once, within five minutes.

        For all signed-in callers.
        """

        return self._call(
            _create_download_link.request(
                session_id,
                body,
            ),
            _create_download_link.read,
        )

    def download_session(
        self,
        session_id: UUID | str,
        *,
        token: str,
    ) -> AbstractContextManager[httpx.Response]:
        """Download the file of a download link, once.

        Public: needs no credential.
        """

        return self._open(
            _download_session.request(
                session_id,
                token=token,
            )
        )

    def list_session_calls(
        self,
        session_id: UUID | str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[SessionCallPage]:
        """List the calls of a session on an MCP server, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_session_calls.request(
                session_id,
                page=page,
                page_size=page_size,
            ),
            _list_session_calls.read,
        )

    def all_session_calls(
        self,
        session_id: UUID | str,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[SessionCallView]:
        """The items of all pages of list_session_calls: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_session_calls(
                session_id,
                page_size=page_size,
                page=page,
            ),
            None,
        )

    def get_retention(
        self,
    ) -> Answer[RetentionView]:
        """Get the state of retention: the last run, and what is due.

        For auditors and admins.
        """

        return self._call(
            _get_retention.request(),
            _get_retention.read,
        )

    def start_retention_run(
        self,
    ) -> Answer[RetentionRunView]:
        """Start a retention run now: remove recordings whose retention has ended.

        For admins.
        """

        return self._call(
            _start_retention_run.request(),
            _start_retention_run.read,
        )

    def list_sessions(
        self,
        *,
        limit: int | Unset = 20,
        offset: int | Unset = 0,
        count: ListSessionsCount | Unset = ListSessionsCount.CAPPED,
        user: str | Unset = UNSET,
        connection: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        verb: ListSessionsVerb | Unset = UNSET,
        status: ListSessionsStatus | Unset = UNSET,
        start_date: datetime.datetime | Unset = UNSET,
        end_date: datetime.datetime | Unset = UNSET,
        review_status: ListSessionsReviewStatus | Unset = UNSET,
        review_after_review: ListSessionsReviewAfterReview | Unset = UNSET,
        review_approver: str | Unset = UNSET,
        batch_id: str | Unset = UNSET,
        correlation_id: str | Unset = UNSET,
        guardrail: str | Unset = UNSET,
        q: str | Unset = UNSET,
    ) -> Answer[SessionPage]:
        """List sessions, newest first.

        Regular users see their own sessions, and those that waited for a review, or came by access that
        people approved, which names a group of theirs; auditors and admins see all. With `q`, regular users
        find their own only.

        For all signed-in callers.
        """

        return self._call(
            _list_sessions.request(
                limit=limit,
                offset=offset,
                count=count,
                user=user,
                connection=connection,
                type_=type_,
                verb=verb,
                status=status,
                start_date=start_date,
                end_date=end_date,
                review_status=review_status,
                review_after_review=review_after_review,
                review_approver=review_approver,
                batch_id=batch_id,
                correlation_id=correlation_id,
                guardrail=guardrail,
                q=q,
            ),
            _list_sessions.read,
        )

    def create_session(
        self,
        body: ExecBody,
    ) -> Answer[ExecView]:
        """Run a script on a connection.

        For all signed-in callers except auditors.
        """

        return self._call(
            _create_session.request(
                body,
            ),
            _create_session.read,
        )

    def exec_session(
        self,
        session_id: UUID | str,
        body: ApprovedExecBody,
    ) -> Answer[ExecView]:
        """Run an approved script, once; for its requester and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _exec_session.request(
                session_id,
                body,
            ),
            _exec_session.read,
        )

    def kill_session(
        self,
        session_id: UUID | str,
    ) -> Answer[None]:
        """End a session on any gateway; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _kill_session.request(
                session_id,
            ),
            lambda _: None,
        )

    def update_session_metadata(
        self,
        session_id: UUID | str,
        body: SessionMetadataBody,
    ) -> Answer[None]:
        """Update keys of a session’s metadata; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _update_session_metadata.request(
                session_id,
                body,
            ),
            lambda _: None,
        )

    def set_session_hold(
        self,
        session_id: UUID | str,
        body: SessionHoldBody,
    ) -> Answer[None]:
        """Set or release the legal hold of a session, which exempts it from retention.

        For admins.
        """

        return self._call(
            _set_session_hold.request(
                session_id,
                body,
            ),
            lambda _: None,
        )


class AsyncSessions(AsyncOperations):
    async def verify_session_ledger(
        self,
        *,
        from_: int | Unset = UNSET,
        to: int | Unset = UNSET,
    ) -> Answer[LedgerVerificationView]:
        """Verify the ledger of sessions.

        Each session has entries in a ledger: numbered without gaps, linked by hash and signed. This
        verifies the entries, and compares the row of each session with them. It finds edited and removed
        rows, missing and moved entries, and an end that was cut off since it was noted on the audit log.
        Recordings are not read; `GET /sessions/{session_id}/verify` does that.

        For auditors and admins.
        """

        return await self._call(
            _verify_session_ledger.request(
                from_=from_,
                to=to,
            ),
            _verify_session_ledger.read,
        )

    async def verify_session(
        self,
        session_id: UUID | str,
    ) -> Answer[SessionVerificationView]:
        """Verify a session and its recording.

        For its owner, auditors and admins. Reads the whole recording, and compares the session with its
        entries in the ledger. `GET /sessions/{session_id}?extension=evidence` is the same to be verified
        offline.

        For all signed-in callers.
        """

        return await self._call(
            _verify_session.request(
                session_id,
            ),
            _verify_session.read,
        )

    async def get_session(
        self,
        session_id: UUID | str,
        *,
        event_time: GetSessionEventTime | Unset = GetSessionEventTime.VALUE_0,
        new_line: GetSessionNewLine | Unset = GetSessionNewLine.VALUE_0,
        event_stream: GetSessionEventStream | Unset = UNSET,
        events: list[GetSessionEventsItem] | Unset = UNSET,
        expand: list[GetSessionExpandItem] | Unset = UNSET,
        extension: str | Unset = UNSET,
    ) -> Answer[SessionView]:
        """Get a session, or its recording as a file.

        For all signed-in callers.
        """

        return await self._call(
            _get_session.request(
                session_id,
                event_time=event_time,
                new_line=new_line,
                event_stream=event_stream,
                events=events,
                expand=expand,
                extension=extension,
            ),
            _get_session.read,
        )

    def stream_session(
        self,
        session_id: UUID | str,
        *,
        last_event_id: str | Unset = UNSET,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Follow the recording of a session.

        A stream of server-sent events: the recording from its start, or after the message that `Last-Event-
        ID` names, then what is recorded meanwhile, wherever the session runs.

        - `message`: its data is a triple `[time, type, content]` as in `event_stream`: milliseconds since
        the start, `i`, `o` or `e`, base64. A large event comes in several messages: a fourth element,
        `true`, says that it goes on in the next one.
        - `end`: the last one, with the data `{ status, exit_code, end_date }`.

        After 15 minutes, when the gateway stops, and when the reader may no longer read, the answer ends
        without `end`: ask again with the last id. A request after `end` gets 204, which tells an
        EventSource to stay away. For the owner of the session, auditors and admins; each may follow 10
        sessions at a time.

        For all signed-in callers.
        """

        return self._open(
            _stream_session.request(
                session_id,
                last_event_id=last_event_id,
            )
        )

    async def create_download_link(
        self,
        session_id: UUID | str,
        body: DownloadLinkBody,
    ) -> Answer[DownloadLinkView]:
        """Create a link for a browser to download the recording, once, within five minutes.

        For all signed-in callers.
        """

        return await self._call(
            _create_download_link.request(
                session_id,
                body,
            ),
            _create_download_link.read,
        )

    def download_session(
        self,
        session_id: UUID | str,
        *,
        token: str,
    ) -> AbstractAsyncContextManager[httpx.Response]:
        """Download the file of a download link, once.

        Public: needs no credential.
        """

        return self._open(
            _download_session.request(
                session_id,
                token=token,
            )
        )

    async def list_session_calls(
        self,
        session_id: UUID | str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[SessionCallPage]:
        """List the calls of a session on an MCP server, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_session_calls.request(
                session_id,
                page=page,
                page_size=page_size,
            ),
            _list_session_calls.read,
        )

    def all_session_calls(
        self,
        session_id: UUID | str,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[SessionCallView]:
        """The items of all pages of list_session_calls: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_session_calls(
                session_id,
                page_size=page_size,
                page=page,
            ),
            None,
        )

    async def get_retention(
        self,
    ) -> Answer[RetentionView]:
        """Get the state of retention: the last run, and what is due.

        For auditors and admins.
        """

        return await self._call(
            _get_retention.request(),
            _get_retention.read,
        )

    async def start_retention_run(
        self,
    ) -> Answer[RetentionRunView]:
        """Start a retention run now: remove recordings whose retention has ended.

        For admins.
        """

        return await self._call(
            _start_retention_run.request(),
            _start_retention_run.read,
        )

    async def list_sessions(
        self,
        *,
        limit: int | Unset = 20,
        offset: int | Unset = 0,
        count: ListSessionsCount | Unset = ListSessionsCount.CAPPED,
        user: str | Unset = UNSET,
        connection: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        verb: ListSessionsVerb | Unset = UNSET,
        status: ListSessionsStatus | Unset = UNSET,
        start_date: datetime.datetime | Unset = UNSET,
        end_date: datetime.datetime | Unset = UNSET,
        review_status: ListSessionsReviewStatus | Unset = UNSET,
        review_after_review: ListSessionsReviewAfterReview | Unset = UNSET,
        review_approver: str | Unset = UNSET,
        batch_id: str | Unset = UNSET,
        correlation_id: str | Unset = UNSET,
        guardrail: str | Unset = UNSET,
        q: str | Unset = UNSET,
    ) -> Answer[SessionPage]:
        """List sessions, newest first.

        Regular users see their own sessions, and those that waited for a review, or came by access that
        people approved, which names a group of theirs; auditors and admins see all. With `q`, regular users
        find their own only.

        For all signed-in callers.
        """

        return await self._call(
            _list_sessions.request(
                limit=limit,
                offset=offset,
                count=count,
                user=user,
                connection=connection,
                type_=type_,
                verb=verb,
                status=status,
                start_date=start_date,
                end_date=end_date,
                review_status=review_status,
                review_after_review=review_after_review,
                review_approver=review_approver,
                batch_id=batch_id,
                correlation_id=correlation_id,
                guardrail=guardrail,
                q=q,
            ),
            _list_sessions.read,
        )

    async def create_session(
        self,
        body: ExecBody,
    ) -> Answer[ExecView]:
        """Run a script on a connection.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _create_session.request(
                body,
            ),
            _create_session.read,
        )

    async def exec_session(
        self,
        session_id: UUID | str,
        body: ApprovedExecBody,
    ) -> Answer[ExecView]:
        """Run an approved script, once; for its requester and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _exec_session.request(
                session_id,
                body,
            ),
            _exec_session.read,
        )

    async def kill_session(
        self,
        session_id: UUID | str,
    ) -> Answer[None]:
        """End a session on any gateway; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _kill_session.request(
                session_id,
            ),
            lambda _: None,
        )

    async def update_session_metadata(
        self,
        session_id: UUID | str,
        body: SessionMetadataBody,
    ) -> Answer[None]:
        """Update keys of a session’s metadata; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _update_session_metadata.request(
                session_id,
                body,
            ),
            lambda _: None,
        )

    async def set_session_hold(
        self,
        session_id: UUID | str,
        body: SessionHoldBody,
    ) -> Answer[None]:
        """Set or release the legal hold of a session, which exempts it from retention.

        For admins.
        """

        return await self._call(
            _set_session_hold.request(
                session_id,
                body,
            ),
            lambda _: None,
        )
