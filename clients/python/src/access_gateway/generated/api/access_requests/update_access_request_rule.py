from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.access_rule_body import AccessRuleBody
from ...models.checked_access_rule_view import CheckedAccessRuleView
from ...types import UNSET, Unset


def request(
    name: str,
    body: AccessRuleBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PUT",
        "/access-requests/rules/{name}".format(
            name=quote(str(name), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedAccessRuleView:
    response_200 = CheckedAccessRuleView.from_dict(answer)

    return response_200
