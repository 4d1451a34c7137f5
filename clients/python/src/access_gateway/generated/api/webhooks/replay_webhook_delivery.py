from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.delivery_view import DeliveryView


def request(
    id: UUID | str,
    delivery_id: UUID | str,
) -> Request:
    return Request(
        "POST",
        "/webhooks/{id}/deliveries/{delivery_id}/replay".format(
            id=quote(str(id), safe=""),
            delivery_id=quote(str(delivery_id), safe=""),
        ),
    )


def read(answer: Any) -> DeliveryView:
    response_202 = DeliveryView.from_dict(answer)

    return response_202
