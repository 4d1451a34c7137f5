import datetime
from collections.abc import AsyncIterator, Iterator

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.audit_line_view import AuditLineView
from ...models.audit_page import AuditPage
from ...models.audit_verification_view import AuditVerificationView
from ...models.list_audit_logs_action import ListAuditLogsAction
from ...models.list_audit_logs_outcome import ListAuditLogsOutcome
from ...types import UNSET, Unset
from . import list_audit_logs as _list_audit_logs
from . import verify_audit_log as _verify_audit_log


class Audit(Operations):
    def list_audit_logs(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        actor: str | Unset = UNSET,
        resource_type: str | Unset = UNSET,
        action: ListAuditLogsAction | Unset = UNSET,
        outcome: ListAuditLogsOutcome | Unset = UNSET,
        created_after: datetime.datetime | Unset = UNSET,
        created_before: datetime.datetime | Unset = UNSET,
        request_id: str | Unset = UNSET,
    ) -> Answer[AuditPage]:
        """List the audit log, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_audit_logs.request(
                page=page,
                page_size=page_size,
                actor=actor,
                resource_type=resource_type,
                action=action,
                outcome=outcome,
                created_after=created_after,
                created_before=created_before,
                request_id=request_id,
            ),
            _list_audit_logs.read,
        )

    def all_audit_logs(
        self,
        *,
        page_size: int | Unset = 1000,
        actor: str | Unset = UNSET,
        resource_type: str | Unset = UNSET,
        action: ListAuditLogsAction | Unset = UNSET,
        outcome: ListAuditLogsOutcome | Unset = UNSET,
        created_after: datetime.datetime | Unset = UNSET,
        created_before: datetime.datetime | Unset = UNSET,
        request_id: str | Unset = UNSET,
    ) -> Iterator[AuditLineView]:
        """The items of all pages of list_audit_logs: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_audit_logs(
                page_size=page_size,
                actor=actor,
                resource_type=resource_type,
                action=action,
                outcome=outcome,
                created_after=created_after,
                created_before=created_before,
                request_id=request_id,
                page=page,
            ),
            lambda item: item.seq,
        )

    def verify_audit_log(
        self,
    ) -> Answer[AuditVerificationView]:
        """Verify the audit log.

        For admins.
        """

        return self._call(
            _verify_audit_log.request(),
            _verify_audit_log.read,
        )


class AsyncAudit(AsyncOperations):
    async def list_audit_logs(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        actor: str | Unset = UNSET,
        resource_type: str | Unset = UNSET,
        action: ListAuditLogsAction | Unset = UNSET,
        outcome: ListAuditLogsOutcome | Unset = UNSET,
        created_after: datetime.datetime | Unset = UNSET,
        created_before: datetime.datetime | Unset = UNSET,
        request_id: str | Unset = UNSET,
    ) -> Answer[AuditPage]:
        """List the audit log, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_audit_logs.request(
                page=page,
                page_size=page_size,
                actor=actor,
                resource_type=resource_type,
                action=action,
                outcome=outcome,
                created_after=created_after,
                created_before=created_before,
                request_id=request_id,
            ),
            _list_audit_logs.read,
        )

    def all_audit_logs(
        self,
        *,
        page_size: int | Unset = 1000,
        actor: str | Unset = UNSET,
        resource_type: str | Unset = UNSET,
        action: ListAuditLogsAction | Unset = UNSET,
        outcome: ListAuditLogsOutcome | Unset = UNSET,
        created_after: datetime.datetime | Unset = UNSET,
        created_before: datetime.datetime | Unset = UNSET,
        request_id: str | Unset = UNSET,
    ) -> AsyncIterator[AuditLineView]:
        """The items of all pages of list_audit_logs: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_audit_logs(
                page_size=page_size,
                actor=actor,
                resource_type=resource_type,
                action=action,
                outcome=outcome,
                created_after=created_after,
                created_before=created_before,
                request_id=request_id,
                page=page,
            ),
            lambda item: item.seq,
        )

    async def verify_audit_log(
        self,
    ) -> Answer[AuditVerificationView]:
        """Verify the audit log.

        For admins.
        """

        return await self._call(
            _verify_audit_log.request(),
            _verify_audit_log.read,
        )
