from typing import Any

from ....calls import Request
from ...models.audit_verification_view import AuditVerificationView


def request() -> Request:
    return Request(
        "GET",
        "/audit/verify",
    )


def read(answer: Any) -> AuditVerificationView:
    response_200 = AuditVerificationView.from_dict(answer)

    return response_200
