from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.credential_body import CredentialBody
from ...models.credential_page import CredentialPage
from ...models.credential_view import CredentialView
from ...models.issued_credential_view import IssuedCredentialView
from ...models.mcp_authorization_page import McpAuthorizationPage
from ...models.mcp_authorization_view import McpAuthorizationView
from ...models.ssh_public_key_body import SshPublicKeyBody
from ...models.ssh_public_key_page import SshPublicKeyPage
from ...models.ssh_public_key_view import SshPublicKeyView
from ...types import UNSET, Unset
from . import create_connection_credential as _create_connection_credential
from . import create_ssh_public_key as _create_ssh_public_key
from . import delete_ssh_public_key as _delete_ssh_public_key
from . import get_ssh_public_key as _get_ssh_public_key
from . import list_connection_credentials as _list_connection_credentials
from . import list_mcp_authorizations as _list_mcp_authorizations
from . import list_ssh_public_keys as _list_ssh_public_keys
from . import revoke_connection_credential as _revoke_connection_credential
from . import revoke_mcp_authorization as _revoke_mcp_authorization


class ConnectionCredentials(Operations):
    def list_mcp_authorizations(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Answer[McpAuthorizationPage]:
        """List what a user allowed MCP clients, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_mcp_authorizations.request(
                page=page,
                page_size=page_size,
                user=user,
            ),
            _list_mcp_authorizations.read,
        )

    def all_mcp_authorizations(
        self,
        *,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Iterator[McpAuthorizationView]:
        """The items of all pages of list_mcp_authorizations: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_mcp_authorizations(
                page_size=page_size,
                user=user,
                page=page,
            ),
            lambda item: item.id,
        )

    def revoke_mcp_authorization(
        self,
        id: UUID | str,
    ) -> Answer[None]:
        """End what a user allowed an MCP client, its tokens and sessions; for that user and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _revoke_mcp_authorization.request(
                id,
            ),
            lambda _: None,
        )

    def list_ssh_public_keys(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Answer[SshPublicKeyPage]:
        """List the public keys by which a user signs in over SSH, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_ssh_public_keys.request(
                page=page,
                page_size=page_size,
                user=user,
            ),
            _list_ssh_public_keys.read,
        )

    def all_ssh_public_keys(
        self,
        *,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Iterator[SshPublicKeyView]:
        """The items of all pages of list_ssh_public_keys: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_ssh_public_keys(
                page_size=page_size,
                user=user,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_ssh_public_key(
        self,
        body: SshPublicKeyBody,
    ) -> Answer[SshPublicKeyView]:
        """Register a public key, by which the caller can sign in over SSH.

        For all signed-in callers except auditors.
        """

        return self._call(
            _create_ssh_public_key.request(
                body,
            ),
            _create_ssh_public_key.read,
        )

    def get_ssh_public_key(
        self,
        id: UUID | str,
    ) -> Answer[SshPublicKeyView]:
        """Get a public key; for its user, auditors and admins.

        For all signed-in callers.
        """

        return self._call(
            _get_ssh_public_key.request(
                id,
            ),
            _get_ssh_public_key.read,
        )

    def delete_ssh_public_key(
        self,
        id: UUID | str,
    ) -> Answer[None]:
        """Remove a public key, and end its sessions; for its user and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _delete_ssh_public_key.request(
                id,
            ),
            lambda _: None,
        )

    def create_connection_credential(
        self,
        name_or_id: str,
        body: CredentialBody,
    ) -> Answer[IssuedCredentialView]:
        """Issue a credential for a connection, or request one; the password is shown only in this answer.

        For all signed-in callers except auditors.
        """

        return self._call(
            _create_connection_credential.request(
                name_or_id,
                body,
            ),
            _create_connection_credential.read,
        )

    def list_connection_credentials(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[CredentialPage]:
        """List the caller’s own credentials, without passwords, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_connection_credentials.request(
                page=page,
                page_size=page_size,
            ),
            _list_connection_credentials.read,
        )

    def all_connection_credentials(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[CredentialView]:
        """The items of all pages of list_connection_credentials: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_connection_credentials(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def revoke_connection_credential(
        self,
        name_or_id: str,
        id: UUID | str,
    ) -> Answer[None]:
        """Revoke a credential or its request, and end its sessions; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return self._call(
            _revoke_connection_credential.request(
                name_or_id,
                id,
            ),
            lambda _: None,
        )


class AsyncConnectionCredentials(AsyncOperations):
    async def list_mcp_authorizations(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Answer[McpAuthorizationPage]:
        """List what a user allowed MCP clients, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_mcp_authorizations.request(
                page=page,
                page_size=page_size,
                user=user,
            ),
            _list_mcp_authorizations.read,
        )

    def all_mcp_authorizations(
        self,
        *,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> AsyncIterator[McpAuthorizationView]:
        """The items of all pages of list_mcp_authorizations: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_mcp_authorizations(
                page_size=page_size,
                user=user,
                page=page,
            ),
            lambda item: item.id,
        )

    async def revoke_mcp_authorization(
        self,
        id: UUID | str,
    ) -> Answer[None]:
        """End what a user allowed an MCP client, its tokens and sessions; for that user and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _revoke_mcp_authorization.request(
                id,
            ),
            lambda _: None,
        )

    async def list_ssh_public_keys(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> Answer[SshPublicKeyPage]:
        """List the public keys by which a user signs in over SSH, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_ssh_public_keys.request(
                page=page,
                page_size=page_size,
                user=user,
            ),
            _list_ssh_public_keys.read,
        )

    def all_ssh_public_keys(
        self,
        *,
        page_size: int | Unset = 1000,
        user: str | Unset = UNSET,
    ) -> AsyncIterator[SshPublicKeyView]:
        """The items of all pages of list_ssh_public_keys: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_ssh_public_keys(
                page_size=page_size,
                user=user,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_ssh_public_key(
        self,
        body: SshPublicKeyBody,
    ) -> Answer[SshPublicKeyView]:
        """Register a public key, by which the caller can sign in over SSH.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _create_ssh_public_key.request(
                body,
            ),
            _create_ssh_public_key.read,
        )

    async def get_ssh_public_key(
        self,
        id: UUID | str,
    ) -> Answer[SshPublicKeyView]:
        """Get a public key; for its user, auditors and admins.

        For all signed-in callers.
        """

        return await self._call(
            _get_ssh_public_key.request(
                id,
            ),
            _get_ssh_public_key.read,
        )

    async def delete_ssh_public_key(
        self,
        id: UUID | str,
    ) -> Answer[None]:
        """Remove a public key, and end its sessions; for its user and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _delete_ssh_public_key.request(
                id,
            ),
            lambda _: None,
        )

    async def create_connection_credential(
        self,
        name_or_id: str,
        body: CredentialBody,
    ) -> Answer[IssuedCredentialView]:
        """Issue a credential for a connection, or request one; the password is shown only in this answer.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _create_connection_credential.request(
                name_or_id,
                body,
            ),
            _create_connection_credential.read,
        )

    async def list_connection_credentials(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[CredentialPage]:
        """List the caller’s own credentials, without passwords, newest first.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_connection_credentials.request(
                page=page,
                page_size=page_size,
            ),
            _list_connection_credentials.read,
        )

    def all_connection_credentials(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[CredentialView]:
        """The items of all pages of list_connection_credentials: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_connection_credentials(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def revoke_connection_credential(
        self,
        name_or_id: str,
        id: UUID | str,
    ) -> Answer[None]:
        """Revoke a credential or its request, and end its sessions; for its owner and admins.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _revoke_connection_credential.request(
                name_or_id,
                id,
            ),
            lambda _: None,
        )
