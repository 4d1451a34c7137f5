from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.checked_access_rule_view import CheckedAccessRuleView


def request(
    name: str,
) -> Request:
    return Request(
        "GET",
        "/access-requests/rules/{name}".format(
            name=quote(str(name), safe=""),
        ),
    )


def read(answer: Any) -> CheckedAccessRuleView:
    response_200 = CheckedAccessRuleView.from_dict(answer)

    return response_200
