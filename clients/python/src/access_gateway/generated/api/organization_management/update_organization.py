from typing import Any

from ....calls import Request
from ...models.checked_organization_view import CheckedOrganizationView
from ...models.organization_body import OrganizationBody
from ...types import UNSET, Unset


def request(
    body: OrganizationBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PATCH",
        "/organization",
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedOrganizationView:
    response_200 = CheckedOrganizationView.from_dict(answer)

    return response_200
