from typing import Any

from ....calls import Request
from ...models.organization_view import OrganizationView


def request() -> Request:
    return Request(
        "GET",
        "/organization",
    )


def read(answer: Any) -> OrganizationView:
    response_200 = OrganizationView.from_dict(answer)

    return response_200
