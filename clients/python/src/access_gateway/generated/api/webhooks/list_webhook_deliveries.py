from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.delivery_page import DeliveryPage
from ...models.list_webhook_deliveries_state import ListWebhookDeliveriesState
from ...types import UNSET, Unset


def request(
    id: UUID | str,
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    state: ListWebhookDeliveriesState | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    json_state: str | Unset = UNSET
    if not isinstance(state, Unset):
        json_state = state.value

    params["state"] = json_state

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/webhooks/{id}/deliveries".format(
            id=quote(str(id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> DeliveryPage:
    response_200 = DeliveryPage.from_dict(answer)

    return response_200
