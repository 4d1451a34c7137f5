from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.checked_guardrail_view import CheckedGuardrailView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/guardrails/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> CheckedGuardrailView:
    response_200 = CheckedGuardrailView.from_dict(answer)

    return response_200
