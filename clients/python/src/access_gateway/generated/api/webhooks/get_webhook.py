from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.webhook_view import WebhookView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/webhooks/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> WebhookView:
    response_200 = WebhookView.from_dict(answer)

    return response_200
