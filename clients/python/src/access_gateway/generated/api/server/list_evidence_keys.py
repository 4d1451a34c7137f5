from typing import Any

from ....calls import Request
from ...models.evidence_keys_view import EvidenceKeysView


def request() -> Request:
    return Request(
        "GET",
        "/evidence-keys",
    )


def read(answer: Any) -> EvidenceKeysView:
    response_200 = EvidenceKeysView.from_dict(answer)

    return response_200
