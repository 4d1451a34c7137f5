from collections.abc import AsyncIterator, Iterator

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.attribute_body import AttributeBody
from ...models.attribute_change_body import AttributeChangeBody
from ...models.attribute_page import AttributePage
from ...models.attribute_view import AttributeView
from ...types import UNSET, Unset
from . import create_attribute as _create_attribute
from . import delete_attribute as _delete_attribute
from . import get_attribute as _get_attribute
from . import list_attributes as _list_attributes
from . import update_attribute as _update_attribute


class Attributes(Operations):
    def list_attributes(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[AttributePage]:
        """List attributes, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_attributes.request(
                page=page,
                page_size=page_size,
            ),
            _list_attributes.read,
        )

    def all_attributes(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[AttributeView]:
        """The items of all pages of list_attributes: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_attributes(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.name,
        )

    def create_attribute(
        self,
        body: AttributeBody,
    ) -> Answer[AttributeView]:
        """Create an attribute.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_attribute.request(
                body,
            ),
            _create_attribute.read,
        )

    def get_attribute(
        self,
        name: str,
    ) -> Answer[AttributeView]:
        """Get an attribute.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_attribute.request(
                name,
            ),
            _get_attribute.read,
        )

    def update_attribute(
        self,
        name: str,
        body: AttributeChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[AttributeView]:
        """Update the description of an attribute.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_attribute.request(
                name,
                body,
                if_match=if_match,
            ),
            _update_attribute.read,
        )

    def delete_attribute(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete an attribute, and remove it from everything that has it.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_attribute.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )


class AsyncAttributes(AsyncOperations):
    async def list_attributes(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[AttributePage]:
        """List attributes, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_attributes.request(
                page=page,
                page_size=page_size,
            ),
            _list_attributes.read,
        )

    def all_attributes(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[AttributeView]:
        """The items of all pages of list_attributes: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_attributes(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.name,
        )

    async def create_attribute(
        self,
        body: AttributeBody,
    ) -> Answer[AttributeView]:
        """Create an attribute.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_attribute.request(
                body,
            ),
            _create_attribute.read,
        )

    async def get_attribute(
        self,
        name: str,
    ) -> Answer[AttributeView]:
        """Get an attribute.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_attribute.request(
                name,
            ),
            _get_attribute.read,
        )

    async def update_attribute(
        self,
        name: str,
        body: AttributeChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[AttributeView]:
        """Update the description of an attribute.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_attribute.request(
                name,
                body,
                if_match=if_match,
            ),
            _update_attribute.read,
        )

    async def delete_attribute(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete an attribute, and remove it from everything that has it.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_attribute.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )
