from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.webhook_secret_body import WebhookSecretBody
from ...models.webhook_secret_view import WebhookSecretView
from ...types import UNSET, Unset


def request(
    id: UUID | str,
    body: WebhookSecretBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "POST",
        "/webhooks/{id}/rotate-secret".format(
            id=quote(str(id), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> WebhookSecretView:
    response_200 = WebhookSecretView.from_dict(answer)

    return response_200
