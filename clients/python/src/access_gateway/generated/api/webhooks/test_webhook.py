from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.delivery_view import DeliveryView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "POST",
        "/webhooks/{id}/test".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> DeliveryView:
    response_202 = DeliveryView.from_dict(answer)

    return response_202
