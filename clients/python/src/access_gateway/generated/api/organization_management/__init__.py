from ....calls import Answer, AsyncOperations, Operations
from ...models.checked_organization_view import CheckedOrganizationView
from ...models.organization_body import OrganizationBody
from ...models.organization_view import OrganizationView
from ...types import UNSET, Unset
from . import get_organization as _get_organization
from . import update_organization as _update_organization


class OrganizationManagement(Operations):
    def get_organization(
        self,
    ) -> Answer[OrganizationView]:
        """Get the organization and its features.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_organization.request(),
            _get_organization.read,
        )

    def update_organization(
        self,
        body: OrganizationBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedOrganizationView]:
        """Update the features of the organization.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_organization.request(
                body,
                if_match=if_match,
            ),
            _update_organization.read,
        )


class AsyncOrganizationManagement(AsyncOperations):
    async def get_organization(
        self,
    ) -> Answer[OrganizationView]:
        """Get the organization and its features.

        For auditors and admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_organization.request(),
            _get_organization.read,
        )

    async def update_organization(
        self,
        body: OrganizationBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[CheckedOrganizationView]:
        """Update the features of the organization.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_organization.request(
                body,
                if_match=if_match,
            ),
            _update_organization.read,
        )
