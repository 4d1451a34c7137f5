from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.credential_body import CredentialBody
from ...models.issued_credential_view import IssuedCredentialView


def request(
    name_or_id: str,
    body: CredentialBody,
) -> Request:
    return Request(
        "POST",
        "/connections/{name_or_id}/credentials".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> IssuedCredentialView:
    response_201 = IssuedCredentialView.from_dict(answer)

    return response_201
