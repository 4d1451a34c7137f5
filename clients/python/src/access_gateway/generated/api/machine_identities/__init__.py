from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.api_key_body import ApiKeyBody
from ...models.api_key_page import ApiKeyPage
from ...models.api_key_view import ApiKeyView
from ...models.created_api_key_view import CreatedApiKeyView
from ...types import UNSET, Unset
from . import create_api_key as _create_api_key
from . import get_api_key as _get_api_key
from . import list_api_keys as _list_api_keys
from . import revoke_api_key as _revoke_api_key


class MachineIdentities(Operations):
    def list_api_keys(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[ApiKeyPage]:
        """List API keys, masked, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_api_keys.request(
                page=page,
                page_size=page_size,
            ),
            _list_api_keys.read,
        )

    def all_api_keys(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[ApiKeyView]:
        """The items of all pages of list_api_keys: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_api_keys(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_api_key(
        self,
        body: ApiKeyBody,
    ) -> Answer[CreatedApiKeyView]:
        """Create an API key; it is shown only in this answer.

        For admins.
        """

        return self._call(
            _create_api_key.request(
                body,
            ),
            _create_api_key.read,
        )

    def get_api_key(
        self,
        id: UUID | str,
    ) -> Answer[ApiKeyView]:
        """Get an API key, masked.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_api_key.request(
                id,
            ),
            _get_api_key.read,
        )

    def revoke_api_key(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Revoke an API key.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _revoke_api_key.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )


class AsyncMachineIdentities(AsyncOperations):
    async def list_api_keys(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[ApiKeyPage]:
        """List API keys, masked, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_api_keys.request(
                page=page,
                page_size=page_size,
            ),
            _list_api_keys.read,
        )

    def all_api_keys(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[ApiKeyView]:
        """The items of all pages of list_api_keys: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_api_keys(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_api_key(
        self,
        body: ApiKeyBody,
    ) -> Answer[CreatedApiKeyView]:
        """Create an API key; it is shown only in this answer.

        For admins.
        """

        return await self._call(
            _create_api_key.request(
                body,
            ),
            _create_api_key.read,
        )

    async def get_api_key(
        self,
        id: UUID | str,
    ) -> Answer[ApiKeyView]:
        """Get an API key, masked.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_api_key.request(
                id,
            ),
            _get_api_key.read,
        )

    async def revoke_api_key(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Revoke an API key.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _revoke_api_key.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )
