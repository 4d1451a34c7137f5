from typing import Any

from ....calls import Request
from ...models.dry_run_body import DryRunBody
from ...models.dry_run_view import DryRunView


def request(
    body: DryRunBody,
) -> Request:
    return Request(
        "POST",
        "/guardrails/dry-run",
        body=body.to_dict(),
    )


def read(answer: Any) -> DryRunView:
    response_200 = DryRunView.from_dict(answer)

    return response_200
