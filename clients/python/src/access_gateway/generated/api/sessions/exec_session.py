from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.approved_exec_body import ApprovedExecBody
from ...models.exec_view import ExecView


def request(
    session_id: UUID | str,
    body: ApprovedExecBody,
) -> Request:
    return Request(
        "POST",
        "/sessions/{session_id}/exec".format(
            session_id=quote(str(session_id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> ExecView:
    response_200 = ExecView.from_dict(answer)

    return response_200
