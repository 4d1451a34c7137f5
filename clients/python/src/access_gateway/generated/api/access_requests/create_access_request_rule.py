from typing import Any

from ....calls import Request
from ...models.access_rule_body import AccessRuleBody
from ...models.checked_access_rule_view import CheckedAccessRuleView


def request(
    body: AccessRuleBody,
) -> Request:
    return Request(
        "POST",
        "/access-requests/rules",
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedAccessRuleView:
    response_201 = CheckedAccessRuleView.from_dict(answer)

    return response_201
