from typing import Any

from ....calls import Request
from ...models.checked_guardrail_view import CheckedGuardrailView
from ...models.guardrail_body import GuardrailBody


def request(
    body: GuardrailBody,
) -> Request:
    return Request(
        "POST",
        "/guardrails",
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedGuardrailView:
    response_201 = CheckedGuardrailView.from_dict(answer)

    return response_201
