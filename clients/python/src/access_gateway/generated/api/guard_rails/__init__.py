from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.checked_guardrail_view import CheckedGuardrailView
from ...models.dry_run_body import DryRunBody
from ...models.dry_run_view import DryRunView
from ...models.guardrail_body import GuardrailBody
from ...models.guardrail_page import GuardrailPage
from ...models.guardrail_stats_view import GuardrailStatsView
from ...models.guardrail_view import GuardrailView
from ...types import UNSET, Unset
from . import create_guard_rail as _create_guard_rail
from . import delete_guard_rail as _delete_guard_rail
from . import dry_run_guard_rails as _dry_run_guard_rails
from . import get_guard_rail as _get_guard_rail
from . import get_guard_rail_stats as _get_guard_rail_stats
from . import list_guard_rails as _list_guard_rails
from . import update_guard_rail as _update_guard_rail


class GuardRails(Operations):
    def dry_run_guard_rails(
        self,
        body: DryRunBody,
    ) -> Answer[DryRunView]:
        """Test rules on a text and on recorded sessions.

        For auditors and admins.
        """

        return self._call(
            _dry_run_guard_rails.request(
                body,
            ),
            _dry_run_guard_rails.read,
        )

    def list_guard_rails(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[GuardrailPage]:
        """List guardrail rules, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_guard_rails.request(
                page=page,
                page_size=page_size,
            ),
            _list_guard_rails.read,
        )

    def all_guard_rails(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[GuardrailView]:
        """The items of all pages of list_guard_rails: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_guard_rails(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_guard_rail(
        self,
        body: GuardrailBody,
    ) -> Answer[CheckedGuardrailView]:
        """Create a guardrail rule.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_guard_rail.request(
                body,
            ),
            _create_guard_rail.read,
        )

    def get_guard_rail(
        self,
        id: UUID | str,
    ) -> Answer[CheckedGuardrailView]:
        """Get a guardrail rule.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_guard_rail.request(
                id,
            ),
            _get_guard_rail.read,
        )

    def update_guard_rail(
        self,
        id: UUID | str,
        body: GuardrailBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedGuardrailView]:
        """Replace a guardrail rule.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_guard_rail.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_guard_rail.read,
        )

    def delete_guard_rail(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a guardrail rule.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_guard_rail.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def get_guard_rail_stats(
        self,
        id: UUID | str,
    ) -> Answer[GuardrailStatsView]:
        """Get the statistics of a guardrail rule: checks and hits.

        For auditors and admins.
        """

        return self._call(
            _get_guard_rail_stats.request(
                id,
            ),
            _get_guard_rail_stats.read,
        )


class AsyncGuardRails(AsyncOperations):
    async def dry_run_guard_rails(
        self,
        body: DryRunBody,
    ) -> Answer[DryRunView]:
        """Test rules on a text and on recorded sessions.

        For auditors and admins.
        """

        return await self._call(
            _dry_run_guard_rails.request(
                body,
            ),
            _dry_run_guard_rails.read,
        )

    async def list_guard_rails(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[GuardrailPage]:
        """List guardrail rules, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_guard_rails.request(
                page=page,
                page_size=page_size,
            ),
            _list_guard_rails.read,
        )

    def all_guard_rails(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[GuardrailView]:
        """The items of all pages of list_guard_rails: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_guard_rails(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_guard_rail(
        self,
        body: GuardrailBody,
    ) -> Answer[CheckedGuardrailView]:
        """Create a guardrail rule.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_guard_rail.request(
                body,
            ),
            _create_guard_rail.read,
        )

    async def get_guard_rail(
        self,
        id: UUID | str,
    ) -> Answer[CheckedGuardrailView]:
        """Get a guardrail rule.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_guard_rail.request(
                id,
            ),
            _get_guard_rail.read,
        )

    async def update_guard_rail(
        self,
        id: UUID | str,
        body: GuardrailBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedGuardrailView]:
        """Replace a guardrail rule.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_guard_rail.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_guard_rail.read,
        )

    async def delete_guard_rail(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a guardrail rule.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_guard_rail.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def get_guard_rail_stats(
        self,
        id: UUID | str,
    ) -> Answer[GuardrailStatsView]:
        """Get the statistics of a guardrail rule: checks and hits.

        For auditors and admins.
        """

        return await self._call(
            _get_guard_rail_stats.request(
                id,
            ),
            _get_guard_rail_stats.read,
        )
