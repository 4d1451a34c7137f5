from typing import Any

from ....calls import Request
from ...models.created_webhook_view import CreatedWebhookView
from ...models.webhook_creation_body import WebhookCreationBody


def request(
    body: WebhookCreationBody,
) -> Request:
    return Request(
        "POST",
        "/webhooks",
        body=body.to_dict(),
    )


def read(answer: Any) -> CreatedWebhookView:
    response_201 = CreatedWebhookView.from_dict(answer)

    return response_201
