from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.created_scim_token_view import CreatedScimTokenView
from ...models.group_body import GroupBody
from ...models.group_page import GroupPage
from ...models.group_view import GroupView
from ...models.scim_token_body import ScimTokenBody
from ...models.scim_token_page import ScimTokenPage
from ...models.scim_token_view import ScimTokenView
from ...models.user_body import UserBody
from ...models.user_change_body import UserChangeBody
from ...models.user_page import UserPage
from ...models.user_view import UserView
from ...types import UNSET, Unset
from . import create_group as _create_group
from . import create_scim_token as _create_scim_token
from . import create_user as _create_user
from . import delete_group as _delete_group
from . import delete_user as _delete_user
from . import get_group as _get_group
from . import get_scim_token as _get_scim_token
from . import get_user as _get_user
from . import list_groups as _list_groups
from . import list_scim_tokens as _list_scim_tokens
from . import list_users as _list_users
from . import revoke_scim_token as _revoke_scim_token
from . import update_user as _update_user


class UserManagement(Operations):
    def list_scim_tokens(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[ScimTokenPage]:
        """List SCIM tokens, masked, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_scim_tokens.request(
                page=page,
                page_size=page_size,
            ),
            _list_scim_tokens.read,
        )

    def all_scim_tokens(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[ScimTokenView]:
        """The items of all pages of list_scim_tokens: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_scim_tokens(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_scim_token(
        self,
        body: ScimTokenBody,
    ) -> Answer[CreatedScimTokenView]:
        """Create a SCIM token; it is shown only in this answer.

        For admins.
        """

        return self._call(
            _create_scim_token.request(
                body,
            ),
            _create_scim_token.read,
        )

    def get_scim_token(
        self,
        id: UUID | str,
    ) -> Answer[ScimTokenView]:
        """Get a SCIM token, masked.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_scim_token.request(
                id,
            ),
            _get_scim_token.read,
        )

    def revoke_scim_token(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Revoke a SCIM token.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _revoke_scim_token.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def list_groups(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[GroupPage]:
        """List groups by name, with their number of members.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_groups.request(
                page=page,
                page_size=page_size,
            ),
            _list_groups.read,
        )

    def all_groups(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[GroupView]:
        """The items of all pages of list_groups: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_groups(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.name,
        )

    def create_group(
        self,
        body: GroupBody,
    ) -> Answer[GroupView]:
        """Create a group.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_group.request(
                body,
            ),
            _create_group.read,
        )

    def get_group(
        self,
        name: str,
    ) -> Answer[GroupView]:
        """Get a group with its number of members.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_group.request(
                name,
            ),
            _get_group.read,
        )

    def delete_group(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a group and its manual memberships.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_group.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def list_users(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
    ) -> Answer[UserPage]:
        """List users, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_users.request(
                page=page,
                page_size=page_size,
                search=search,
            ),
            _list_users.read,
        )

    def all_users(
        self,
        *,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
    ) -> Iterator[UserView]:
        """The items of all pages of list_users: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_users(
                page_size=page_size,
                search=search,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_user(
        self,
        body: UserBody,
    ) -> Answer[UserView]:
        """Create a user before the first sign-in.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_user.request(
                body,
            ),
            _create_user.read,
        )

    def get_user(
        self,
        id: str,
    ) -> Answer[UserView]:
        """Get a user.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_user.request(
                id,
            ),
            _get_user.read,
        )

    def delete_user(
        self,
        id: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a user.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_user.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def update_user(
        self,
        id: str,
        body: UserChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[UserView]:
        """Update a user’s status, name or groups.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_user.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_user.read,
        )


class AsyncUserManagement(AsyncOperations):
    async def list_scim_tokens(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[ScimTokenPage]:
        """List SCIM tokens, masked, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_scim_tokens.request(
                page=page,
                page_size=page_size,
            ),
            _list_scim_tokens.read,
        )

    def all_scim_tokens(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[ScimTokenView]:
        """The items of all pages of list_scim_tokens: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_scim_tokens(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_scim_token(
        self,
        body: ScimTokenBody,
    ) -> Answer[CreatedScimTokenView]:
        """Create a SCIM token; it is shown only in this answer.

        For admins.
        """

        return await self._call(
            _create_scim_token.request(
                body,
            ),
            _create_scim_token.read,
        )

    async def get_scim_token(
        self,
        id: UUID | str,
    ) -> Answer[ScimTokenView]:
        """Get a SCIM token, masked.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_scim_token.request(
                id,
            ),
            _get_scim_token.read,
        )

    async def revoke_scim_token(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Revoke a SCIM token.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _revoke_scim_token.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def list_groups(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[GroupPage]:
        """List groups by name, with their number of members.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_groups.request(
                page=page,
                page_size=page_size,
            ),
            _list_groups.read,
        )

    def all_groups(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[GroupView]:
        """The items of all pages of list_groups: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_groups(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.name,
        )

    async def create_group(
        self,
        body: GroupBody,
    ) -> Answer[GroupView]:
        """Create a group.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_group.request(
                body,
            ),
            _create_group.read,
        )

    async def get_group(
        self,
        name: str,
    ) -> Answer[GroupView]:
        """Get a group with its number of members.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_group.request(
                name,
            ),
            _get_group.read,
        )

    async def delete_group(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a group and its manual memberships.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_group.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def list_users(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
    ) -> Answer[UserPage]:
        """List users, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_users.request(
                page=page,
                page_size=page_size,
                search=search,
            ),
            _list_users.read,
        )

    def all_users(
        self,
        *,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
    ) -> AsyncIterator[UserView]:
        """The items of all pages of list_users: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_users(
                page_size=page_size,
                search=search,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_user(
        self,
        body: UserBody,
    ) -> Answer[UserView]:
        """Create a user before the first sign-in.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_user.request(
                body,
            ),
            _create_user.read,
        )

    async def get_user(
        self,
        id: str,
    ) -> Answer[UserView]:
        """Get a user.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_user.request(
                id,
            ),
            _get_user.read,
        )

    async def delete_user(
        self,
        id: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a user.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_user.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def update_user(
        self,
        id: str,
        body: UserChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[UserView]:
        """Update a user’s status, name or groups.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_user.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_user.read,
        )
