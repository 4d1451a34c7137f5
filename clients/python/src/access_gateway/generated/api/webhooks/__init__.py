from collections.abc import AsyncIterator, Iterator
from uuid import UUID

from ....calls import Answer, AsyncOperations, Operations
from ....pages import async_pages, pages
from ...models.created_webhook_view import CreatedWebhookView
from ...models.delivery_page import DeliveryPage
from ...models.delivery_view import DeliveryView
from ...models.list_webhook_deliveries_state import ListWebhookDeliveriesState
from ...models.webhook_change_body import WebhookChangeBody
from ...models.webhook_creation_body import WebhookCreationBody
from ...models.webhook_page import WebhookPage
from ...models.webhook_secret_body import WebhookSecretBody
from ...models.webhook_secret_view import WebhookSecretView
from ...models.webhook_view import WebhookView
from ...types import UNSET, Unset
from . import create_webhook as _create_webhook
from . import delete_webhook as _delete_webhook
from . import get_webhook as _get_webhook
from . import list_webhook_deliveries as _list_webhook_deliveries
from . import list_webhooks as _list_webhooks
from . import replay_webhook_delivery as _replay_webhook_delivery
from . import rotate_webhook_secret as _rotate_webhook_secret
from . import test_webhook as _test_webhook
from . import update_webhook as _update_webhook


class Webhooks(Operations):
    def list_webhooks(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[WebhookPage]:
        """List webhooks, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_webhooks.request(
                page=page,
                page_size=page_size,
            ),
            _list_webhooks.read,
        )

    def all_webhooks(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> Iterator[WebhookView]:
        """The items of all pages of list_webhooks: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_webhooks(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    def create_webhook(
        self,
        body: WebhookCreationBody,
    ) -> Answer[CreatedWebhookView]:
        """Create a webhook; its secret is shown only in this answer.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _create_webhook.request(
                body,
            ),
            _create_webhook.read,
        )

    def get_webhook(
        self,
        id: UUID | str,
    ) -> Answer[WebhookView]:
        """Get a webhook without its secret.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return self._call(
            _get_webhook.request(
                id,
            ),
            _get_webhook.read,
        )

    def update_webhook(
        self,
        id: UUID | str,
        body: WebhookChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[WebhookView]:
        """Replace a webhook except for its secret.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _update_webhook.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_webhook.read,
        )

    def delete_webhook(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a webhook and its pending deliveries.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _delete_webhook.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    def rotate_webhook_secret(
        self,
        id: UUID | str,
        body: WebhookSecretBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[WebhookSecretView]:
        """Rotate the secret of a webhook; the new one is shown only in this answer, and the previous one signs
        for 24 more hours.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return self._call(
            _rotate_webhook_secret.request(
                id,
                body,
                if_match=if_match,
            ),
            _rotate_webhook_secret.read,
        )

    def list_webhook_deliveries(
        self,
        id: UUID | str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        state: ListWebhookDeliveriesState | Unset = UNSET,
    ) -> Answer[DeliveryPage]:
        """List the deliveries of a webhook, sent and pending, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return self._call(
            _list_webhook_deliveries.request(
                id,
                page=page,
                page_size=page_size,
                state=state,
            ),
            _list_webhook_deliveries.read,
        )

    def all_webhook_deliveries(
        self,
        id: UUID | str,
        *,
        page_size: int | Unset = 1000,
        state: ListWebhookDeliveriesState | Unset = UNSET,
    ) -> Iterator[DeliveryView]:
        """The items of all pages of list_webhook_deliveries: see access_gateway.pages for what it promises."""
        return pages(
            lambda page: self.list_webhook_deliveries(
                id,
                page_size=page_size,
                state=state,
                page=page,
            ),
            lambda item: item.id,
        )

    def replay_webhook_delivery(
        self,
        id: UUID | str,
        delivery_id: UUID | str,
    ) -> Answer[DeliveryView]:
        """Send a delivered or dead delivery again.

        For admins.
        """

        return self._call(
            _replay_webhook_delivery.request(
                id,
                delivery_id,
            ),
            _replay_webhook_delivery.read,
        )

    def test_webhook(
        self,
        id: UUID | str,
    ) -> Answer[DeliveryView]:
        """Send a message of type `webhook.test` to check that the endpoint receives it.

        For admins.
        """

        return self._call(
            _test_webhook.request(
                id,
            ),
            _test_webhook.read,
        )


class AsyncWebhooks(AsyncOperations):
    async def list_webhooks(
        self,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
    ) -> Answer[WebhookPage]:
        """List webhooks, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_webhooks.request(
                page=page,
                page_size=page_size,
            ),
            _list_webhooks.read,
        )

    def all_webhooks(
        self,
        *,
        page_size: int | Unset = 1000,
    ) -> AsyncIterator[WebhookView]:
        """The items of all pages of list_webhooks: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_webhooks(
                page_size=page_size,
                page=page,
            ),
            lambda item: item.id,
        )

    async def create_webhook(
        self,
        body: WebhookCreationBody,
    ) -> Answer[CreatedWebhookView]:
        """Create a webhook; its secret is shown only in this answer.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _create_webhook.request(
                body,
            ),
            _create_webhook.read,
        )

    async def get_webhook(
        self,
        id: UUID | str,
    ) -> Answer[WebhookView]:
        """Get a webhook without its secret.

        For admins.

        The `ETag` of the answer is the version of the resource.
        """

        return await self._call(
            _get_webhook.request(
                id,
            ),
            _get_webhook.read,
        )

    async def update_webhook(
        self,
        id: UUID | str,
        body: WebhookChangeBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[WebhookView]:
        """Replace a webhook except for its secret.

        For admins.

        The `ETag` of the answer is the version of the resource.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _update_webhook.request(
                id,
                body,
                if_match=if_match,
            ),
            _update_webhook.read,
        )

    async def delete_webhook(
        self,
        id: UUID | str,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[None]:
        """Delete a webhook and its pending deliveries.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _delete_webhook.request(
                id,
                if_match=if_match,
            ),
            lambda _: None,
        )

    async def rotate_webhook_secret(
        self,
        id: UUID | str,
        body: WebhookSecretBody,
        *,
        if_match: str | Unset = UNSET,
    ) -> Answer[WebhookSecretView]:
        """Rotate the secret of a webhook; the new one is shown only in this answer, and the previous one signs
        for 24 more hours.

        For admins.

        With `If-Match`, the change is made only if the resource still has that version.
        """

        return await self._call(
            _rotate_webhook_secret.request(
                id,
                body,
                if_match=if_match,
            ),
            _rotate_webhook_secret.read,
        )

    async def list_webhook_deliveries(
        self,
        id: UUID | str,
        *,
        page: int | Unset = 1,
        page_size: int | Unset = 1000,
        state: ListWebhookDeliveriesState | Unset = UNSET,
    ) -> Answer[DeliveryPage]:
        """List the deliveries of a webhook, sent and pending, newest first.

        For admins.

        The answer is one page of the list; `pages.total` counts all items.
        """

        return await self._call(
            _list_webhook_deliveries.request(
                id,
                page=page,
                page_size=page_size,
                state=state,
            ),
            _list_webhook_deliveries.read,
        )

    def all_webhook_deliveries(
        self,
        id: UUID | str,
        *,
        page_size: int | Unset = 1000,
        state: ListWebhookDeliveriesState | Unset = UNSET,
    ) -> AsyncIterator[DeliveryView]:
        """The items of all pages of list_webhook_deliveries: see access_gateway.pages for what it promises."""
        return async_pages(
            lambda page: self.list_webhook_deliveries(
                id,
                page_size=page_size,
                state=state,
                page=page,
            ),
            lambda item: item.id,
        )

    async def replay_webhook_delivery(
        self,
        id: UUID | str,
        delivery_id: UUID | str,
    ) -> Answer[DeliveryView]:
        """Send a delivered or dead delivery again.

        For admins.
        """

        return await self._call(
            _replay_webhook_delivery.request(
                id,
                delivery_id,
            ),
            _replay_webhook_delivery.read,
        )

    async def test_webhook(
        self,
        id: UUID | str,
    ) -> Answer[DeliveryView]:
        """Send a message of type `webhook.test` to check that the endpoint receives it.

        For admins.
        """

        return await self._call(
            _test_webhook.request(
                id,
            ),
            _test_webhook.read,
        )
