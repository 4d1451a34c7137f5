from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.emergency_body import EmergencyBody
from ...models.request_view import RequestView


def request(
    id: UUID | str,
    body: EmergencyBody,
) -> Request:
    return Request(
        "POST",
        "/reviews/{id}/emergency".format(
            id=quote(str(id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> RequestView:
    response_200 = RequestView.from_dict(answer)

    return response_200
