from collections.abc import AsyncIterator, Iterator

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.catalog_entry_view import CatalogEntryView
from ...models.checked_connection_view import CheckedConnectionView
from ...models.connection_body import ConnectionBody
from ...models.connection_kind_list import ConnectionKindList
from ...models.connection_page import ConnectionPage
from ...models.connection_patch_body import ConnectionPatchBody
from ...models.connection_view import ConnectionView
from ...models.effective_policy_view import EffectivePolicyView
from ...models.get_effective_policy_verb import GetEffectivePolicyVerb
from ...models.mcp_connect_view import McpConnectView
from ...models.mcp_tool_page import McpToolPage
from ...models.mcp_tool_view import McpToolView
from ...models.reach_view import ReachView
from ...models.script_check_body import ScriptCheckBody
from ...models.script_check_view import ScriptCheckView
from ...models.tables_view import TablesView
from ...types import UNSET, Unset
from . import accept_mcp_tool as _accept_mcp_tool
from . import check_script as _check_script
from . import connect_mcp_account as _connect_mcp_account
from . import create_connection as _create_connection
from . import delete_connection as _delete_connection
from . import disconnect_mcp_account as _disconnect_mcp_account
from . import get_connection as _get_connection
from . import get_effective_policy as _get_effective_policy
from . import get_mcp_tool as _get_mcp_tool
from . import list_connection_kinds as _list_connection_kinds
from . import list_connections as _list_connections
from . import list_mcp_catalog as _list_mcp_catalog
from . import list_mcp_tools as _list_mcp_tools
from . import list_tables as _list_tables
from . import patch_connection as _patch_connection
from . import test_connection as _test_connection
from . import update_connection as _update_connection


class Connections(Operations):
    def list_mcp_catalog(
        self,
    ) -> Answer[list[CatalogEntryView]]:
        """List the built-in catalog of remote MCP servers.

        For all signed-in callers.
        """

        return self._call(
            _list_mcp_catalog.request(),
            _list_mcp_catalog.read,
        )

    def list_connection_kinds(
        self,
    ) -> Answer[ConnectionKindList]:
        """List the kinds of connections: fields of their secrets, and how clients reach them.

        For all signed-in callers.
        """

        return self._call(
            _list_connection_kinds.request(),
            _list_connection_kinds.read,
        )

    def list_mcp_tools(
        self,
        name_or_id: str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[McpToolPage]:
        """List the tools that an MCP server offered, and how they differ from what was accepted.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_mcp_tools.request(
                name_or_id,
                page=page,
                page_size=page_size,
            ),
            _list_mcp_tools.read,
        )

    def all_mcp_tools(
        self,
        name_or_id: str,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[McpToolView]:
        """The items of all pages of list_mcp_tools: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_mcp_tools(
                name_or_id,
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def get_mcp_tool(
        self,
        name_or_id: str,
        tool: str,
    ) -> Answer[McpToolView]:
        """Get a tool of an MCP server.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_mcp_tool.request(
                name_or_id,
                tool,
            ),
            _get_mcp_tool.read,
        )

    def accept_mcp_tool(
        self,
        name_or_id: str,
        tool: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[McpToolView]:
        """Accept a new or changed tool exactly as it was read; If-Match is required.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _accept_mcp_tool.request(
                name_or_id,
                tool,
                if_match=if_match,
            ),
            _accept_mcp_tool.read,
        )

    def get_effective_policy(
        self,
        name_or_id: str,
        *,
        user: str | Unset = UNSET,
        verb: GetEffectivePolicyVerb | Unset = GetEffectivePolicyVerb.EXEC,
    ) -> Answer[EffectivePolicyView]:
        """Get the effective policy of a user on a connection, with reasons.

        Everybody may ask about themselves; auditors and admins about everybody.

        For all signed-in callers.
        """

        return self._call(
            _get_effective_policy.request(
                name_or_id,
                user=user,
                verb=verb,
            ),
            _get_effective_policy.read,
        )

    def check_script(
        self,
        name_or_id: str,
        body: ScriptCheckBody,
    ) -> Answer[ScriptCheckView]:
        """Check a script against the guardrails of a connection, without running it.

        For those who may open the connection. It is in the audit log that somebody checked a script.

        For all signed-in callers except auditors.
        """

        return self._call(
            _check_script.request(
                name_or_id,
                body,
            ),
            _check_script.read,
        )

    def test_connection(
        self,
        name_or_id: str,
    ) -> Answer[ReachView]:
        """Test the connection to the target.

        For admins.
        """

        return self._call(
            _test_connection.request(
                name_or_id,
            ),
            _test_connection.read,
        )

    def list_tables(
        self,
        name_or_id: str,
        *,
        database: str | Unset = UNSET,
        schema: str | Unset = UNSET,
    ) -> Answer[TablesView]:
        """List the tables of a database and their columns.

        For those whose scripts would run at once, without an approval. It runs as a script of the caller
        does, in a session of its own: judged, recorded and screened.

        For all signed-in callers except auditors.
        """

        return self._call(
            _list_tables.request(
                name_or_id,
                database=database,
                schema=schema,
            ),
            _list_tables.read,
        )

    def list_connections(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        subtype: str | Unset = UNSET,
        attribute: str | Unset = UNSET,
        tag_selector: str | Unset = UNSET,
    ) -> Answer[ConnectionPage]:
        """List the connections that the caller may open.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_connections.request(
                page=page,
                page_size=page_size,
                search=search,
                type_=type_,
                subtype=subtype,
                attribute=attribute,
                tag_selector=tag_selector,
            ),
            _list_connections.read,
        )

    def all_connections(
        self,
        *,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        subtype: str | Unset = UNSET,
        attribute: str | Unset = UNSET,
        tag_selector: str | Unset = UNSET,
    ) -> Iterator[ConnectionView]:
        """The items of all pages of list_connections: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_connections(
                page_size=page_size,
                search=search,
                type_=type_,
                subtype=subtype,
                attribute=attribute,
                tag_selector=tag_selector,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_connection(
        self,
        body: ConnectionBody,
    ) -> Answer[CheckedConnectionView]:
        """Create a connection.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_connection.request(
                body,
            ),
            _create_connection.read,
        )

    def get_connection(
        self,
        name_or_id: str,
    ) -> Answer[ConnectionView]:
        """Get a connection.

        For all signed-in callers.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_connection.request(
                name_or_id,
            ),
            _get_connection.read,
        )

    def update_connection(
        self,
        name_or_id: str,
        body: ConnectionBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedConnectionView]:
        """Replace a connection except for its name and kind.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_connection.request(
                name_or_id,
                body,
                if_match=if_match,
            ),
            _update_connection.read,
        )

    def delete_connection(
        self,
        name_or_id: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a connection and its bindings.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_connection.request(
                name_or_id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def patch_connection(
        self,
        name_or_id: str,
        body: ConnectionPatchBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedConnectionView]:
        """Update some fields of a connection.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _patch_connection.request(
                name_or_id,
                body,
                if_match=if_match,
            ),
            _patch_connection.read,
        )

    def connect_mcp_account(
        self,
        name_or_id: str,
    ) -> Answer[McpConnectView]:
        """Get the address at which the caller connects an account at an MCP server, in the browser.

        For all signed-in callers except auditors.
        """

        return self._call(
            _connect_mcp_account.request(
                name_or_id,
            ),
            _connect_mcp_account.read,
        )

    def disconnect_mcp_account(
        self,
        name_or_id: str,
    ) -> Answer[None]:
        """Forget the account of the caller, or the shared one, and revoke its tokens.

        For all signed-in callers except auditors.
        """

        return self._call(
            _disconnect_mcp_account.request(
                name_or_id,
            ),
            lambda _: None,
        )


class AsyncConnections(AsyncOperations):
    async def list_mcp_catalog(
        self,
    ) -> Answer[list[CatalogEntryView]]:
        """List the built-in catalog of remote MCP servers.

        For all signed-in callers.
        """

        return await self._call(
            _list_mcp_catalog.request(),
            _list_mcp_catalog.read,
        )

    async def list_connection_kinds(
        self,
    ) -> Answer[ConnectionKindList]:
        """List the kinds of connections: fields of their secrets, and how clients reach them.

        For all signed-in callers.
        """

        return await self._call(
            _list_connection_kinds.request(),
            _list_connection_kinds.read,
        )

    async def list_mcp_tools(
        self,
        name_or_id: str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[McpToolPage]:
        """List the tools that an MCP server offered, and how they differ from what was accepted.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_mcp_tools.request(
                name_or_id,
                page=page,
                page_size=page_size,
            ),
            _list_mcp_tools.read,
        )

    def all_mcp_tools(
        self,
        name_or_id: str,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[McpToolView]:
        """The items of all pages of list_mcp_tools: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_mcp_tools(
                name_or_id,
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def get_mcp_tool(
        self,
        name_or_id: str,
        tool: str,
    ) -> Answer[McpToolView]:
        """Get a tool of an MCP server.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_mcp_tool.request(
                name_or_id,
                tool,
            ),
            _get_mcp_tool.read,
        )

    async def accept_mcp_tool(
        self,
        name_or_id: str,
        tool: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[McpToolView]:
        """Accept a new or changed tool exactly as it was read; If-Match is required.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _accept_mcp_tool.request(
                name_or_id,
                tool,
                if_match=if_match,
            ),
            _accept_mcp_tool.read,
        )

    async def get_effective_policy(
        self,
        name_or_id: str,
        *,
        user: str | Unset = UNSET,
        verb: GetEffectivePolicyVerb | Unset = GetEffectivePolicyVerb.EXEC,
    ) -> Answer[EffectivePolicyView]:
        """Get the effective policy of a user on a connection, with reasons.

        Everybody may ask about themselves; auditors and admins about everybody.

        For all signed-in callers.
        """

        return await self._call(
            _get_effective_policy.request(
                name_or_id,
                user=user,
                verb=verb,
            ),
            _get_effective_policy.read,
        )

    async def check_script(
        self,
        name_or_id: str,
        body: ScriptCheckBody,
    ) -> Answer[ScriptCheckView]:
        """Check a script against the guardrails of a connection, without running it.

        For those who may open the connection. It is in the audit log that somebody checked a script.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _check_script.request(
                name_or_id,
                body,
            ),
            _check_script.read,
        )

    async def test_connection(
        self,
        name_or_id: str,
    ) -> Answer[ReachView]:
        """Test the connection to the target.

        For admins.
        """

        return await self._call(
            _test_connection.request(
                name_or_id,
            ),
            _test_connection.read,
        )

    async def list_tables(
        self,
        name_or_id: str,
        *,
        database: str | Unset = UNSET,
        schema: str | Unset = UNSET,
    ) -> Answer[TablesView]:
        """List the tables of a database and their columns.

        For those whose scripts would run at once, without an approval. It runs as a script of the caller
        does, in a session of its own: judged, recorded and screened.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _list_tables.request(
                name_or_id,
                database=database,
                schema=schema,
            ),
            _list_tables.read,
        )

    async def list_connections(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        subtype: str | Unset = UNSET,
        attribute: str | Unset = UNSET,
        tag_selector: str | Unset = UNSET,
    ) -> Answer[ConnectionPage]:
        """List the connections that the caller may open.

        For all signed-in callers.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_connections.request(
                page=page,
                page_size=page_size,
                search=search,
                type_=type_,
                subtype=subtype,
                attribute=attribute,
                tag_selector=tag_selector,
            ),
            _list_connections.read,
        )

    def all_connections(
        self,
        *,
        page_size: int | Unset = 1000,
        search: str | Unset = UNSET,
        type_: str | Unset = UNSET,
        subtype: str | Unset = UNSET,
        attribute: str | Unset = UNSET,
        tag_selector: str | Unset = UNSET,
    ) -> AsyncIterator[ConnectionView]:
        """The items of all pages of list_connections: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_connections(
                page_size=page_size,
                search=search,
                type_=type_,
                subtype=subtype,
                attribute=attribute,
                tag_selector=tag_selector,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_connection(
        self,
        body: ConnectionBody,
    ) -> Answer[CheckedConnectionView]:
        """Create a connection.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_connection.request(
                body,
            ),
            _create_connection.read,
        )

    async def get_connection(
        self,
        name_or_id: str,
    ) -> Answer[ConnectionView]:
        """Get a connection.

        For all signed-in callers.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_connection.request(
                name_or_id,
            ),
            _get_connection.read,
        )

    async def update_connection(
        self,
        name_or_id: str,
        body: ConnectionBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedConnectionView]:
        """Replace a connection except for its name and kind.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_connection.request(
                name_or_id,
                body,
                if_match=if_match,
            ),
            _update_connection.read,
        )

    async def delete_connection(
        self,
        name_or_id: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a connection and its bindings.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_connection.request(
                name_or_id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def patch_connection(
        self,
        name_or_id: str,
        body: ConnectionPatchBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedConnectionView]:
        """Update some fields of a connection.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _patch_connection.request(
                name_or_id,
                body,
                if_match=if_match,
            ),
            _patch_connection.read,
        )

    async def connect_mcp_account(
        self,
        name_or_id: str,
    ) -> Answer[McpConnectView]:
        """Get the address at which the caller connects an account at an MCP server, in the browser.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _connect_mcp_account.request(
                name_or_id,
            ),
            _connect_mcp_account.read,
        )

    async def disconnect_mcp_account(
        self,
        name_or_id: str,
    ) -> Answer[None]:
        """Forget the account of the caller, or the shared one, and revoke its tokens.

        For all signed-in callers except auditors.
        """

        return await self._call(
            _disconnect_mcp_account.request(
                name_or_id,
            ),
            lambda _: None,
        )
