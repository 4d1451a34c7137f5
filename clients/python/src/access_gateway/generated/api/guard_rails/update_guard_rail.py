from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.checked_guardrail_view import CheckedGuardrailView
from ...models.guardrail_body import GuardrailBody
from ...types import UNSET, Unset


def request(
    id: UUID | str,
    body: GuardrailBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PUT",
        "/guardrails/{id}".format(
            id=quote(str(id), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedGuardrailView:
    response_200 = CheckedGuardrailView.from_dict(answer)

    return response_200
