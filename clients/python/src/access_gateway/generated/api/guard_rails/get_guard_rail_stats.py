from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.guardrail_stats_view import GuardrailStatsView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/guardrails/{id}/stats".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> GuardrailStatsView:
    response_200 = GuardrailStatsView.from_dict(answer)

    return response_200
