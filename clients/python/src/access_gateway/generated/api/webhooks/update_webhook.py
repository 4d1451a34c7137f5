from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.webhook_change_body import WebhookChangeBody
from ...models.webhook_view import WebhookView
from ...types import UNSET, Unset


def request(
    id: UUID | str,
    body: WebhookChangeBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PUT",
        "/webhooks/{id}".format(
            id=quote(str(id), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> WebhookView:
    response_200 = WebhookView.from_dict(answer)

    return response_200
