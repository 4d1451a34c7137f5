from collections.abc import AsyncIterator, Iterator

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.access_rule_body import AccessRuleBody
from ...models.access_rule_page import AccessRulePage
from ...models.access_rule_view import AccessRuleView
from ...models.checked_access_rule_view import CheckedAccessRuleView
from ...types import UNSET, Unset
from . import create_access_request_rule as _create_access_request_rule
from . import delete_access_request_rule as _delete_access_request_rule
from . import get_access_request_rule as _get_access_request_rule
from . import list_access_request_rules as _list_access_request_rules
from . import update_access_request_rule as _update_access_request_rule


class AccessRequests(Operations):
    def list_access_request_rules(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[AccessRulePage]:
        """List all access request rules, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_access_request_rules.request(
                page=page,
                page_size=page_size,
            ),
            _list_access_request_rules.read,
        )

    def all_access_request_rules(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[AccessRuleView]:
        """The items of all pages of list_access_request_rules: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_access_request_rules(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_access_request_rule(
        self,
        body: AccessRuleBody,
    ) -> Answer[CheckedAccessRuleView]:
        """Create an access request rule.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_access_request_rule.request(
                body,
            ),
            _create_access_request_rule.read,
        )

    def get_access_request_rule(
        self,
        name: str,
    ) -> Answer[CheckedAccessRuleView]:
        """Get an access request rule.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_access_request_rule.request(
                name,
            ),
            _get_access_request_rule.read,
        )

    def update_access_request_rule(
        self,
        name: str,
        body: AccessRuleBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedAccessRuleView]:
        """Replace an access request rule.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_access_request_rule.request(
                name,
                body,
                if_match=if_match,
            ),
            _update_access_request_rule.read,
        )

    def delete_access_request_rule(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete an access request rule.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_access_request_rule.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )


class AsyncAccessRequests(AsyncOperations):
    async def list_access_request_rules(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[AccessRulePage]:
        """List all access request rules, newest first.

        For auditors and admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_access_request_rules.request(
                page=page,
                page_size=page_size,
            ),
            _list_access_request_rules.read,
        )

    def all_access_request_rules(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[AccessRuleView]:
        """The items of all pages of list_access_request_rules: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_access_request_rules(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_access_request_rule(
        self,
        body: AccessRuleBody,
    ) -> Answer[CheckedAccessRuleView]:
        """Create an access request rule.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_access_request_rule.request(
                body,
            ),
            _create_access_request_rule.read,
        )

    async def get_access_request_rule(
        self,
        name: str,
    ) -> Answer[CheckedAccessRuleView]:
        """Get an access request rule.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_access_request_rule.request(
                name,
            ),
            _get_access_request_rule.read,
        )

    async def update_access_request_rule(
        self,
        name: str,
        body: AccessRuleBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedAccessRuleView]:
        """Replace an access request rule.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_access_request_rule.request(
                name,
                body,
                if_match=if_match,
            ),
            _update_access_request_rule.read,
        )

    async def delete_access_request_rule(
        self,
        name: str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete an access request rule.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_access_request_rule.request(
                name,
                if_match=if_match,
            ),
            lambda _: None,
        )
